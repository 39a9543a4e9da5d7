import { existsSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import claude from '../../src/agents/claude/client.ts';
import pi from '../../src/agents/pi/client.ts';
import { checkAgent } from '../../src/live/check-agent.ts';
import { testAgent } from '../../src/live/index.ts';
import type { AgentReport } from '../../src/live/report.ts';
import type { Client } from '../../src/sandbox/client.ts';
import { processesOf } from '../../src/sandbox/processes.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { forwarderPath } from '../../src/wire/forwarder-settings.ts';
import { programOf, testWith } from './scene.ts';

type More = Omit<Parameters<typeof checkAgent>[0], 'agent' | 'client' | 'program'>;

function check(client: Client, more: More = {}): Promise<AgentReport> {
  const [agent, program] = [AGENTS.get(client.id), programOf(client)];
  if (!agent || program === null) throw new Error(`${client.id} is not installed`);
  return checkAgent({ agent, client, program, ...more });
}

const inState = ({ rows }: AgentReport, state: string) =>
  rows.filter((row) => row.state === state).map(({ kind, name }) => `${kind} ${name}`);

const RULES = `rules:
  - id: no-destroy
    command: "terraform destroy *"
    deny: Infrastructure is changed by people.
  - id: no-env
    tool: Write
    writes: "**/.env"
    deny: Secrets are mine.
`;

/** An answer as an encoder would print that has one word of the client wrong. */
async function misspell({ hooklineHome }: Sandbox, word: string): Promise<void> {
  const forwarder = forwarderPath(hooklineHome);
  await rename(forwarder, `${forwarder}-real`);
  const script = `#!/bin/sh\n"${forwarder}-real" "$@" | sed 's/"${word}"/"${word}Misspelt"/'\n`;
  await writeFile(forwarder, script);
  await chmod(forwarder, 0o755);
}

describe('doctor --live', () => {
  testWith(pi)('finds no problems, and tests the user’s own rules', async () => {
    const seen: string[] = [];
    const onProgress = (done: number, total: number) => void seen.push(`${done}/${total}`);
    // As those call it who have nothing but the package: `program` is what they have on their disk.
    const report = await testAgent('pi', { program: programOf(pi) ?? '', rules: RULES, onProgress });
    expect(report.version).toBe(pi.pin.version);
    expect(inState(report, 'broken')).toEqual([]);
    expect(inState(report, 'changed')).toEqual([]);
    expect(inState(report, 'untried')).toEqual(['rule no-env']);
    expect(report.rows).toContainEqual(expect.objectContaining({ name: 'no-destroy', state: 'holds' }));
    expect(seen.at(0)).toMatch(/^0\//);
    expect(new Set(seen.at(-1)?.split('/')).size).toBe(1);
  });

  // Each effect that is broken is tried once more by itself: a dozen turns.
  testWith(claude)('names exactly the effects that an encoder breaks', { timeout: 300_000 }, async () => {
    const report = await check(claude, {
      afterSetup: (sandbox) => misspell(sandbox, 'permissionDecision'),
    });
    // An allowed call is not broken: this client then asks once more, in another event with words of its own.
    expect(inState(report, 'broken')).toEqual([
      'effect deny',
      'effect ask',
      'failure late answer',
      'failure daemon gone',
    ]);
    expect(report.rows.find(({ name }) => name === 'deny')).toMatchObject({
      expected: 'the command does not run',
      seen: 'it ran',
    });
    expect(inState(report, 'holds')).toEqual(
      expect.arrayContaining([
        'effect context',
        'effect gate the end',
        'effect allow',
        'effect block a prompt',
      ]),
    );
  });

  testWith(claude)('leaves no process and no directory when interrupted', async () => {
    const interrupt = new AbortController();
    const opened: Sandbox[] = [];
    const checked = check(claude, {
      signal: interrupt.signal,
      afterSetup: async (sandbox) => {
        opened.push(sandbox);
        interrupt.abort();
      },
    });
    await expect(checked).rejects.toThrow('aborted');
    expect(opened.length).toBeGreaterThan(0);
    for (const { home } of opened) {
      const root = home.replace(/\/home$/, '');
      expect(existsSync(root)).toBe(false);
      expect(processesOf(root)).toEqual([]);
    }
  });
});
