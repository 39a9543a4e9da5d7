import { expect, test } from 'vitest';
import { openTestHistory } from '../../../test/support/history/history.ts';
import { listEvents, listSessions } from '../../store/read/queries.ts';
import { toBrief } from '../calls/event-brief.ts';
import { currentActivity } from './activity.ts';

const AT = 1_700_000_000_000;
const MINUTE = 60_000;

/** A session's activity some time after its last event. */
function doing(names: readonly string[], laterMs: number, waits = 0) {
  const { db, send } = openTestHistory();
  const tool = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't1' };
  const more = { prompt: 'Fix it.', reason: 'other', source: 'startup', stop_hook_active: false, ...tool };
  for (const [at, hook_event_name] of names.entries())
    send('claude', { session_id: 's', cwd: '/p', hook_event_name, ...more }, AT + at);
  const [session] = listSessions(db);
  if (!session) throw new Error('no session');
  return currentActivity(session, listEvents(db).map(toBrief), waits, session.lastAt + laterMs);
}

test.each([
  [['SessionStart'], 1_000, 'idle', /^Idle since \d\d:\d\d$/],
  [['UserPromptSubmit'], 12_000, 'running', /^Thinking for 12 s$/],
  [['UserPromptSubmit', 'PreToolUse'], 41_000, 'running', /^Running npm test for 41 s$/],
  [['UserPromptSubmit', 'PreToolUse', 'PermissionRequest'], 1_000, 'waiting', /^Needs approval in the agent/],
  [['UserPromptSubmit', 'Stop'], 30 * MINUTE, 'idle', /^Idle/],
  [['UserPromptSubmit', 'SessionEnd'], 1_000, 'ended', /^Ended at/],
] as const)('%j after %d ms: %s', (names, laterMs, activity, words) => {
  const found = doing(names, laterMs);
  expect(found.activity).toBe(activity);
  expect(found.words).toMatch(words);
});

test('an agent that waits for an answer is waiting, whatever else is open', () => {
  expect(doing(['UserPromptSubmit', 'PreToolUse'], 1_000, 1).activity).toBe('waiting');
});

test("a killed agent doesn't run forever", () => {
  expect(doing(['UserPromptSubmit'], 11 * MINUTE).activity).toBe('lost');
  expect(doing(['UserPromptSubmit', 'PreToolUse'], 11 * MINUTE).activity).toBe('running');
  expect(doing(['UserPromptSubmit', 'PreToolUse'], 61 * MINUTE).activity).toBe('lost');
  expect(doing(['UserPromptSubmit', 'Stop'], 7 * 60 * MINUTE).activity).toBe('lost');
});
