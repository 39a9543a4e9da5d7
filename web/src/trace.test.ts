import { expect, test } from 'vitest';
import { toBrief } from '../../src/history/calls/event-brief.ts';
import { listEvents } from '../../src/store/read/queries.ts';
import { openTestHistory } from '../../test/support/history/history.ts';
import { traceOf } from './trace.ts';

const AT = 1_700_000_000_000;
const MINUTE = 60_000;

function briefs(...sent: readonly (readonly [minutes: number, payload: object])[]) {
  const { db, send } = openTestHistory();
  for (const [minutes, payload] of sent)
    send('claude', { session_id: 's', cwd: '/p', ...payload }, AT + minutes * MINUTE);
  return listEvents(db).map(toBrief);
}

const prompt = (text: string) => ({ hook_event_name: 'UserPromptSubmit', prompt: text });
const bash = (event: string, id: string) => ({
  hook_event_name: event,
  tool_name: 'Bash',
  tool_input: { command: 'make' },
  tool_use_id: id,
});
const stop = { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' };

test('cuts idle time from the axis and shows it as a line', () => {
  const events = briefs(
    [0, prompt('One.')],
    [1, bash('PreToolUse', 't1')],
    [2, bash('PostToolUse', 't1')],
    [3, stop],
    [63, prompt('Two.')],
    [64, stop],
  );
  const { turns, axis, calls } = traceOf(events, AT + 64 * MINUTE);
  expect(turns.map(({ number, prompt: said, calls: made }) => [number, said, made])).toEqual([
    [1, 'One.', 1],
    [2, 'Two.', 0],
  ]);
  expect(turns[1]?.lines[0]).toMatchObject({ kind: 'idle', ms: 60 * MINUTE });
  expect([axis.totalMs, axis.idleMs]).toEqual([4 * MINUTE, 60 * MINUTE]);
  expect(axis.x(AT + 63 * MINUTE)).toBe(75);
  expect(calls.map(({ start, end }) => [axis.x(start), axis.x(end ?? 0)])).toEqual([[25, 50]]);
});

test('merges protocol events into one line, and draws a running call up to now', () => {
  const events = briefs(
    [0, prompt('One.')],
    [0.1, { hook_event_name: 'Notification', message: 'x', notification_type: 'idle_prompt' }],
    [0.2, { hook_event_name: 'Notification', message: 'y', notification_type: 'idle_prompt' }],
    [1, bash('PreToolUse', 't1')],
  );
  const { turns, axis } = traceOf(events, AT + 3 * MINUTE);
  expect(turns[0]?.lines.map((line) => (line.kind === 'protocol' ? line.events.length : line.kind))).toEqual([
    2,
    'call',
  ]);
  expect(axis.totalMs).toBe(3 * MINUTE);
});
