import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Answer, Approval } from '../approvals/approval.ts';
import { listEvents, listSessions } from '../store/queries.ts';
import { openDemo } from './run.ts';

async function played(answer: (approval: Approval) => Answer) {
  const demo = await openDemo(50);
  const end = new AbortController();
  onTestFinished(async () => {
    end.abort();
    await demo.close();
  });
  const { desk } = demo.daemon.hub.people;
  const asked: Approval[] = [];
  desk.subscribe((approval) => {
    if (approval.state !== 'pending') return;
    asked.push(approval);
    const given = answer(approval);
    const state = given.decision === 'allow' ? 'allowed' : 'denied';
    setImmediate(() => desk.settle(approval.id, { state, answer: given, by: 'a test' }));
  });
  await demo.play(end.signal);
  const events = listEvents(demo.daemon.home.db);
  return { demo, asked, events, sessions: listSessions(demo.daemon.home.db), end };
}

const choose = (approval: Approval): Answer => {
  const answers = approval.questions.map(({ id, options }) => [id, [options[1]?.label ?? '']]);
  return { decision: 'allow', ...(answers.length > 0 ? { answers: Object.fromEntries(answers) } : {}) };
};

test('three agents work, ask, and end their sessions', async () => {
  const { asked, events, sessions } = await played(choose);
  expect(sessions.map(({ source, endedAt }) => [source, endedAt !== null]).sort()).toEqual([
    ['claude', true],
    ['codex', true],
    ['gemini', true],
  ]);
  expect(events.filter(({ type }) => type === 'unknown')).toEqual([]);
  expect(new Set(asked.map(({ source }) => source)).size).toBe(3);
  expect(asked.map(({ kind }) => kind)).toContain('question');
  const denied = events.filter(({ response }) => response.decision === 'deny');
  expect(new Set(denied.map(({ source }) => source)).size).toBe(3);
  // What was chosen is what the agent goes on with.
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
