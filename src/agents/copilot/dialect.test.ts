import { describe, expect, test } from 'vitest';
import type { HookEvent } from '../../model/events.ts';
import claude from '../claude/index.ts';
import { dialect } from './dialect.ts';
import copilot from './index.ts';

const call = (payload: unknown) => ({ id: 'c', receivedAt: 1, event: 'PreToolUse', payload, env: {} });
const bash = { id: 's', tool: 'Bash', input: { command: 'ls' }, cwd: '/p' };
const own = copilot.decode(call(copilot.toolPayload(bash)));
const foreign = claude.decode(call(claude.toolPayload(bash)));

function shown(event: HookEvent, wanted?: string) {
  const common =
    'tool' in event && event.source !== 'copilot' ? claude.dialect?.describe(event.tool)[0] : null;
  const presented = dialect.present(event, common ?? null, wanted);
  if (presented === null) throw new Error('not shown');
  return presented;
}

describe('a hook gets events in the spelling of its registration', () => {
  test.each([
    ['its own', own],
    ["another agent's", foreign],
  ])('%s', (_, event) => {
    const pascal = shown(event, 'PreToolUse');
    expect(pascal).toMatchObject({
      event: 'PreToolUse',
      subject: 'Bash',
      payload: {
        hook_event_name: 'PreToolUse',
        session_id: 's',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
      },
    });
    const camel = shown(event, 'preToolUse');
    expect(camel).toMatchObject({ event: 'preToolUse', subject: 'bash' });
    expect(camel.payload).toMatchObject({ sessionId: 's', toolName: 'bash', toolArgs: { command: 'ls' } });
    expect(camel.payload).not.toHaveProperty('hook_event_name');
    expect(typeof camel.payload.timestamp).toBe('number');
  });

  test('a patch as plain text', () => {
    const patch = '*** Begin Patch\n*** Delete File: a\n*** End Patch';
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Edit', tool_input: patch };
    expect(shown(copilot.decode(call(payload))).payload).toEqual(payload);
    expect(shown(copilot.decode(call(payload)), 'preToolUse').payload).toMatchObject({ toolArgs: patch });
  });
});

test.each([
  ['Bash', true, false],
  ['bash', true, true],
  ['B.*', true, false],
  ['ba', false, false],
  ['(', false, false],
])('the matcher %s must match the whole name', (matcher, pascal, camel) => {
  expect(dialect.matches(shown(own, 'PreToolUse'), matcher)).toBe(pascal);
  expect(dialect.matches(shown(own, 'preToolUse'), matcher)).toBe(camel);
});

describe("a hook's output", () => {
  const said = (stdout: string, wanted = 'PreToolUse', exit = 0) =>
    dialect.interpret(own, shown(own, wanted), { exit, stdout, stderr: '', timedOut: false }).response;
  const DENIED = { decision: 'deny', reason: 'no' };

  test('counts at the top level in both spellings, and in hookSpecificOutput in one', () => {
    const answer = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
    const nested = JSON.stringify({ hookSpecificOutput: answer });
    expect(said(JSON.stringify(answer))).toEqual(DENIED);
    expect(said(JSON.stringify(answer), 'preToolUse')).toEqual(DENIED);
    expect(said(nested)).toEqual(DENIED);
    expect(said(nested, 'preToolUse')).toEqual({ decision: 'none' });
  });

  test('may follow progress lines', () => {
    expect(said('{"type":"progress","message":"…"}\n{"permissionDecision":"ask"}')).toMatchObject({
      decision: 'ask',
    });
    expect(said('noise\n{"permissionDecision":"deny"}')).toEqual({ decision: 'none' });
  });

  test('changes arguments, and gives the reason with exit code 2', () => {
    expect(said('{"modifiedArgs":{"command":"pwd"}}')).toEqual({
      decision: 'none',
      modifyArgs: { command: 'pwd' },
    });
    const reason = '{"permissionDecision":"deny","permissionDecisionReason":"no"}';
    expect(said(reason, 'PreToolUse', 2)).toEqual(DENIED);
    expect(said('{"permissionDecision":"allow"}', 'PreToolUse', 1).decision).toBe('deny');
  });
});
