import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import type { Client } from '../../../src/sandbox/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import { play, testWith } from '../scene.ts';

/** What the client does not report of its work. */
export interface Reports {
  /** Observations that others have and this client cannot give, each with the reason. */
  readonly missing?: Readonly<Record<string, string>>;
  /** True where its own settings ask about every command, which its run answers by itself. */
  readonly asksAboutCommands?: true;
  /** What stands in the place of a missing one, or comes on top. */
  readonly instead?: Readonly<Record<string, unknown>>;
}

const WRONG = 'return a - b;';
const RIGHT = 'return a + b;';
const SUM = `export function sum(a, b) {\n  ${WRONG}\n}\n`;
const TEST = `import assert from 'node:assert';
import { test } from 'node:test';
import { sum } from './sum.js';

test('adds', () => assert.equal(sum(1, 2), 3));
`;
// Only one way of reporting, whatever the client's terminal is.
const RUN_TESTS = 'node --test --test-reporter=tap';

const Story = v.object({
  timeline: v.array(v.object({ observation: v.looseObject({ kind: v.string() }) })),
  transcript: v.nullable(v.looseObject({ gaps: v.array(v.unknown()), turns: v.number() })),
});
const Session = v.object({ sessionId: v.string(), summary: v.string() });

/** The same work gives the same account on every agent. */
export function tellsTheSame(client: Client, reports: Reports = {}): void {
  const it = testWith(client);
  describe(`${client.id} works on a failing test`, () => {
    it('with the same account as for every client', async () => {
      const script = ({ project }: { readonly project: string }) => {
        const { absolute, read, edit } = client.files;
        const file = absolute ? join(project, 'sum.js') : 'sum.js';
        return [
          [read(file)],
          [client.shell(RUN_TESTS)],
          [edit(file, `  ${WRONG}`, `  ${RIGHT}`)],
          [client.shell(RUN_TESTS)],
          'The sum is right now.',
        ];
      };
      const plan = {
        script,
        // The run is unattended.
        rules: "rules:\n  - { id: edits, tool: [Read, Edit], allow: 'part of the scenario' }\n",
        prepare: async ({ project }: { readonly project: string }) => {
          await writeFile(join(project, 'package.json'), '{"type":"module"}\n');
          await writeFile(join(project, 'sum.js'), SUM);
          await writeFile(join(project, 'sum.test.js'), TEST);
        },
      };
      await play(client, plan, async ({ turn, hookline }) => {
        const finished = await turn('Fix the sum.', { trustShell: true });
        expect(finished.code, describeFinished(finished)).toBe(0);

        const { stdout: list } = await hookline.run(['sessions', '--json']);
        const session = v.parse(Session, JSON.parse(list));
        const { stdout } = await hookline.run(['show', session.sessionId, '--json']);
        const story = v.parse(Story, JSON.parse(stdout));
        const account = story.timeline
          .map(({ observation }) => comparable(observation))
          // Some clients check for a compaction before each request, or announce that they have logged in.
          .filter((one) => one.kind !== 'compaction' && one.kind !== 'notification');
        expect(inOneOrder(client, account)).toEqual(expectedOf(reports));
        expect(session.summary).toMatch(
          /^Fix the sum\. · 1 file changed, \d commands, tests fixed \(2 runs\), 1 error$/,
        );
        expect(story.transcript).toMatchObject({ turns: 1, gaps: [] });
      });
    });
  });
}

type Account = Readonly<Record<string, unknown>>;

/** With the start before the prompt, also where the two come side by side, and with one end. */
function inOneOrder({ startsTogether, endsTwice }: Client, account: readonly Account[]): readonly Account[] {
  const isAt = (boundary: string) => (one: Account) => one.kind === 'session' && one.boundary === boundary;
  const end = account.findIndex(isAt('end'));
  const told = endsTwice ? account.filter((one, at) => !isAt('end')(one) || at === end) : account;
  const isStart = isAt('start');
  return startsTogether ? [...told.filter(isStart), ...told.filter((one) => !isStart(one))] : told;
}

const run = { kind: 'command', command: RUN_TESTS, purpose: 'test', exitCodeHidden: false };

const asked = {
  kind: 'permission',
  decision: 'requested',
  tool: 'Bash',
  subject: RUN_TESTS,
  by: [],
  reason: null,
};

/** The account of a client that reports like this. */
function expectedOf({ missing, instead, asksAboutCommands }: Reports): readonly unknown[] {
  return Object.entries(ACCOUNT).flatMap(([name, one]) => {
    const isCommand = name === 'red' || name === 'green';
    const before = asksAboutCommands && isCommand ? [asked] : [];
    if (missing?.[name] === undefined) return [...before, one];
    return instead?.[name] === undefined ? [] : [instead[name]];
  });
}

const ACCOUNT: Readonly<Record<string, unknown>> = {
  start: { kind: 'session', boundary: 'start', fresh: true, compaction: false },
  prompt: { kind: 'intent', prompt: 'Fix the sum.', command: null },
  read: {
    kind: 'file',
    op: 'read',
    change: 'none',
    path: 'sum.js',
    before: null,
    after: null,
    outcome: 'ok',
  },
  red: { ...run, exitCode: 1, outcome: 'failed', failing: ['adds'] },
  error: { kind: 'error', where: 'Bash' },
  edit: {
    kind: 'file',
    op: 'edit',
    change: 'modify',
    path: 'sum.js',
    before: WRONG,
    after: RIGHT,
    outcome: 'ok',
  },
  green: { ...run, exitCode: 0, outcome: 'ok', failing: [] },
  said: { kind: 'turn_end', message: 'The sum is right now.', continuation: false },
  end: { kind: 'session', boundary: 'end', fresh: false, compaction: false },
};

/** Without what is the client's own: its words for why, how long it took, and how it words an output. */
function comparable(observation: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(observation)) {
    if (OWN.has(key) || (key === 'message' && observation.kind === 'error')) continue;
    const isExcerpt = typeof value === 'object' && value !== null && 'text' in value;
    kept[key] = isExcerpt ? String(value.text).trim() : value;
  }
  return kept;
}

const OWN = new Set(['trigger', 'durationMs', 'description', 'output', 'to']);
