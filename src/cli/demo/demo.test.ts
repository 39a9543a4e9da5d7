import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import type { Answer, Approval } from '../../approvals/approval.ts';
import { listEvents, listSessions } from '../../store/read/queries.ts';
import { openDemo } from './open-demo.ts';

async function played(answer: (approval: Approval) => Answer) {
  const demo = await openDemo(50, 'always');
  const end = new AbortController();
  onTestFinished(async () => {
    end.abort();
    await demo.close();
  });
  const { queue } = demo.daemon.hub.approvals;
  const asked: Approval[] = [];
  queue.subscribe((approval) => {
    if (approval.state !== 'pending') return;
    asked.push(approval);
    const given = answer(approval);
    const state = given.decision === 'allow' ? 'allowed' : 'denied';
    setImmediate(() => queue.settle(approval.id, { state, answer: given, by: 'a test' }));
  });
  await demo.play(end.signal);
  const events = listEvents(demo.daemon.home.db);
  return { demo, asked, events, sessions: listSessions(demo.daemon.home.db), end };
}

const choose = (approval: Approval): Answer => {
  const answers = approval.questions.map(({ id, options }) => [id, [options[1]?.label ?? '']]);
  return { decision: 'allow', ...(answers.length > 0 ? { answers: Object.fromEntries(answers) } : {}) };
};

test.each<[name: string, machine: () => Record<string, string>]>([
  ['as it is here', () => ({})],
  ['with a home in the temp folder', () => ({ HOME: scratchFolder() })],
  [
    'with the temp folder in the home',
    () => {
      const HOME = scratchFolder();
      const TMPDIR = join(HOME, 'tmp');
      mkdirSync(TMPDIR);
      return { HOME, TMPDIR };
    },
  ],
  ['with the home of root', () => ({ HOME: '/root' })],
  ['with a home that is not there', () => ({ HOME: '/nowhere/else' })],
])('three agents work, ask, and end their sessions: %s', async (_, machine) => {
  for (const [name, value] of Object.entries(machine())) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { asked, events, sessions } = await played(choose);
  expect(sessions.map(({ source, endedAt }) => [source, endedAt !== null]).sort()).toEqual([
    ['claude', true],
    ['codex', true],
    ['gemini', true],
  ]);
  expect(events.filter(({ type }) => type === 'unknown')).toEqual([]);
  expect(asked.map(({ source, kind, tool }) => `${source} ${kind} ${tool?.name}`).sort()).toEqual([
    'claude permission Edit',
    'claude question AskUserQuestion',
    'codex permission Edit',
    'gemini permission Bash',
  ]);
  const denied = events.filter(({ response }) => response.decision === 'deny');
  expect(denied.map(({ source, rules }) => `${source} ${rules[0]}`).sort()).toEqual([
    'claude git/force-push',
    'codex network-exec/download-and-run',
    'gemini filesystem/empty-home',
  ]);
  // The agent continues with the chosen answer.
  const answered = events.find(({ type, tool }) => type === 'after_tool' && tool?.kind === 'question');
  expect(JSON.stringify(answered?.tool?.input)).toContain('To even"}');
});

test('what is denied does not run, and nothing is left of it all', async () => {
  const { demo, asked, events, end } = await played(() => ({ decision: 'deny' }));
  const done = events
    .filter(({ type }) => type === 'after_tool')
    .map(({ tool }) => JSON.stringify(tool?.input));
  expect(asked.length).toBeGreaterThan(2);
  for (const { tool } of asked) expect(done).not.toContain(JSON.stringify(tool?.input));
  end.abort();
  await demo.close();
  expect(existsSync(dirname(demo.paths.root))).toBe(false);
});

test('by its own pace every agent is at work, and one has a question, within five seconds', () => {
  const folder = new URL('./recordings/', import.meta.url);
  const recordings = readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
  );
  const beginnings = recordings.map(({ steps: [first] }) => first.wait);
  const questions = recordings.flatMap(({ steps }) => {
    let at = 0;
    for (const { wait, ask, took = 0 } of steps) {
      at += wait;
      if (ask) return [at];
      at += took;
    }
    return [];
  });
  expect(beginnings).toHaveLength(3);
  expect(Math.max(...beginnings)).toBeLessThan(5_000);
  expect(Math.min(...questions)).toBeLessThan(5_000);
});
