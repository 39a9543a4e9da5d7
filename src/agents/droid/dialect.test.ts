import { expect, test } from 'vitest';
import type { HookResponse } from '../../model/responses.ts';
import type { HookRun } from '../kit/dialect.ts';
import { dialect } from './dialect.ts';
import droid from './index.ts';

function verdict(payload: object, run: Partial<HookRun>) {
  const event = droid.decode({ id: 'c', receivedAt: 1, event: null, payload, env: {} });
  const presented = dialect.present(event, null);
  if (presented === null) throw new Error('not shown');
  return dialect.interpret(event, presented, { exit: 0, stdout: '', stderr: '', timedOut: false, ...run });
}

const TOOL = droid.toolPayload({ id: 's', tool: 'Bash', input: { command: 'ls' }, cwd: '/p' });
const own = (fields: object) => JSON.stringify({ hookSpecificOutput: fields });
const FAILS = 'fails';

// What 0.225.2 was seen to make of each.
test.each<[string, Partial<HookRun>, HookResponse | typeof FAILS]>([
  ['nothing', {}, { decision: 'none' }],
  ['exit 2 and stderr', { exit: 2, stderr: 'no\n' }, { decision: 'deny', reason: 'no' }],
  ['exit 2 and nothing', { exit: 2 }, { decision: 'deny', reason: 'Blocked by a hook.' }],
  [
    'exit 2 beside an allow',
    { exit: 2, stdout: own({ permissionDecision: 'allow' }), stderr: 'no' },
    { decision: 'deny', reason: 'no' },
  ],
  ['exit 3', { exit: 3, stderr: 'enough' }, { decision: 'none', halt: 'enough' }],
  ['exit 1', { exit: 1, stderr: 'oops' }, FAILS],
  ['a timeout', { exit: null, timedOut: true }, FAILS],
  [
    'a denial with exit 1',
    { exit: 1, stdout: own({ permissionDecision: 'deny', permissionDecisionReason: 'no' }) },
    { decision: 'deny', reason: 'no' },
  ],
  ['a permission', { stdout: own({ permissionDecision: 'allow' }) }, { decision: 'allow' }],
  ['a question', { stdout: own({ permissionDecision: 'ask' }) }, { decision: 'none' }],
  ['a word of another client', { stdout: '{"decision":"block","reason":"no"}' }, { decision: 'none' }],
  ['noise before JSON', { stdout: `x\n${own({ permissionDecision: 'deny' })}` }, { decision: 'none' }],
  [
    'a part of the arguments',
    { stdout: own({ updatedInput: { command: 'pwd' } }) },
    { decision: 'none', modifyArgs: { command: 'pwd' } },
  ],
  [
    'the end of the turn',
    { stdout: '{"continue":false,"stopReason":"enough"}' },
    { decision: 'none', halt: 'enough' },
  ],
])('before a command: %s', (_, run, expected) => {
  const { response, problem } = verdict(Object(TOOL), run);
  if (expected === FAILS) expect(problem).not.toBe(null);
  else expect({ response, problem }).toEqual({ response: expected, problem: null });
});

const base = { session_id: 's', cwd: '/p', transcript_path: '' };

test('a prompt is denied by an exit code, not by a field', () => {
  const prompt = { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'go' };
  expect(verdict(prompt, { exit: 2, stderr: 'no' }).response).toEqual({ decision: 'deny', reason: 'no' });
  expect(verdict(prompt, { stdout: '{"decision":"block","reason":"no"}' }).response).toEqual({
    decision: 'none',
  });
  expect(verdict(prompt, { stdout: 'the branch is fjord' }).response).toEqual({
    decision: 'none',
    context: 'the branch is fjord',
  });
});

test('a stop is denied by a field with a reason', () => {
  const stop = { ...base, hook_event_name: 'Stop', stop_hook_active: false };
  expect(verdict(stop, { stdout: '{"decision":"block","reason":"tests"}' }).response).toEqual({
    decision: 'deny',
    reason: 'tests',
  });
  expect(verdict(stop, { stdout: '{"decision":"block"}' }).response).toEqual({ decision: 'none' });
});

test('a matcher is a case-sensitive pattern that matches anywhere', () => {
  const event = droid.decode({ id: 'c', receivedAt: 1, event: null, payload: TOOL, env: {} });
  const presented = dialect.present(event, null);
  const matching = ['*', '', 'Execute', 'Exec', 'Edit|Execute', 'execute', 'Bash', '('].filter(
    (matcher) => presented && dialect.matches(presented, matcher),
  );
  expect(matching).toEqual(['*', '', 'Execute', 'Exec', 'Edit|Execute']);
});

test.each([
  ['*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch', ['a', 'b']],
  // Hooks of others are asked about it all the same.
  ['no patch', [undefined]],
])('the patch %j is the same number of calls for foreign hooks', (input, paths) => {
  const payload = { ...base, hook_event_name: 'PreToolUse', tool_name: 'ApplyPatch', tool_input: { input } };
  const event = droid.decode({ id: 'c', receivedAt: 1, event: null, payload, env: {} });
  if (event.type !== 'before_tool') throw new Error('no call');
  expect(dialect.describe(event.tool).map((call) => call.input.file_path)).toEqual(paths);
});
