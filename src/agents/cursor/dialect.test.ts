import { expect, test } from 'vitest';
import type { HookResponse } from '../../model/responses.ts';
import { AGENTS } from '../_registry.ts';
import { callerOf } from '../caller.ts';
import type { HookRun } from '../kit/dialect.ts';
import { dialect } from './dialect.ts';
import cursor from './index.ts';

const TOOL = cursor.toolPayload({ id: 's', tool: 'Bash', input: { command: 'ls' }, cwd: '/p' });
const FAILS = 'fails';

function verdict(payload: unknown, run: Partial<HookRun>) {
  const event = cursor.decode({ id: 'c', receivedAt: 1, event: null, payload, env: {} });
  const presented = dialect.present(event, null);
  if (presented === null) throw new Error('not shown');
  return dialect.interpret(event, presented, { exit: 0, stdout: '', stderr: '', timedOut: false, ...run });
}

// What the executor in @cursor/sdk 1.0.32 makes of each.
test.each<[string, Partial<HookRun>, HookResponse | typeof FAILS]>([
  ['nothing', {}, { decision: 'none' }],
  ['an empty object', { stdout: '{}' }, { decision: 'none' }],
  ['a denial', { stdout: '{"permission":"deny","user_message":"no"}' }, { decision: 'deny', reason: 'no' }],
  ['an allow, which skips nothing', { stdout: '{"permission":"allow"}' }, { decision: 'none' }],
  ['a question, which is not acted on', { stdout: '{"permission":"ask"}' }, { decision: 'none' }],
  [
    'exit 2 and stderr',
    { exit: 2, stderr: 'no\n' },
    { decision: 'deny', reason: 'Hook blocked with message: no' },
  ],
  [
    'exit 2 and an allow',
    { exit: 2, stdout: '{"permission":"allow"}' },
    { decision: 'deny', reason: '{"permission":"allow"}' },
  ],
  ['exit 1 and a denial', { exit: 1, stdout: '{"permission":"deny"}' }, FAILS],
  ['a timeout', { exit: null, timedOut: true }, FAILS],
  ['no JSON', { stdout: 'hello' }, { decision: 'deny', reason: 'A hook returned invalid JSON.' }],
  [
    'noise before JSON',
    { stdout: 'x\n{"permission":"deny","user_message":"no"}' },
    { decision: 'deny', reason: 'no' },
  ],
  [
    'an unknown word',
    { stdout: '{"permission":"maybe"}' },
    { decision: 'deny', reason: 'A hook returned an invalid response.' },
  ],
  [
    'changed arguments and context',
    { stdout: '{"updated_input":{"command":"pwd"},"additional_context":"c"}' },
    { decision: 'none', modifyArgs: { command: 'pwd' }, context: 'c' },
  ],
  [
    "another client's denial",
    { stdout: '{"hookSpecificOutput":{"permissionDecision":"deny"}}' },
    { decision: 'none' },
  ],
])('before a command: %s', (_, run, expected) => {
  const { response, problem } = verdict(TOOL, run);
  if (expected === FAILS) expect(problem).not.toBe(null);
  else expect({ response, problem }).toEqual({ response: expected, problem: null });
});

test("a turn continues with a message, also in another client's format", () => {
  const stop = { session_id: 's', hook_event_name: 'stop', loop_count: 0 };
  const goesOn = { decision: 'deny', reason: 'tests' };
  expect(verdict(stop, { stdout: '{"followup_message":"tests"}' }).response).toEqual(goesOn);
  expect(verdict(stop, { stdout: '{"decision":"block","reason":"tests"}' }).response).toEqual(goesOn);
});

test("recognizes its own calls made through another agent's settings, and no others", () => {
  expect(callerOf(AGENTS, { agent: 'claude', payload: TOOL })?.id).toBe('cursor');
  for (const [id, agent] of AGENTS) {
    const payload = agent.toolPayload({ id: 's', tool: 'Bash', input: { cursor_version: '1' }, cwd: '/p' });
    expect(callerOf(AGENTS, { agent: id, payload })?.id).toBe(id);
  }
  expect(callerOf(AGENTS, { agent: 'unknown', payload: TOOL })).toBe(undefined);
});
