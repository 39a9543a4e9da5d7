import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answersOf } from '../../../test/support/agents/answers.ts';
import { CANONICAL_RESPONSES } from '../../../test/support/agents/canonical-responses.ts';
import { ANSWERED_EVENTS, shapeObjection } from '../../../test/support/agents/codex/answers.ts';
import { objection } from '../../../test/support/agents/codex/parser.ts';
import { anyResponse } from '../../../test/support/agents/properties.ts';
import type { EventOf } from '../../model/events.ts';
import { allow, ask, context, deny, halt, none, rewrite } from '../../model/responses.ts';
import { payloads } from './decode.ts';
import codex from './index.ts';

const TOOL = {
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't',
  permission_mode: 'default',
};

const { event, encode, said } = answersOf(codex, { prompt: 'p', ...TOOL });

const SILENCE = { action: 'passthrough' };

describe('input for the strict parser', () => {
  test.each(payloads.names)(
    '%s: no decision and allow are silence, or a plain allow of a request',
    (name) => {
      expect(said(name, none())).toEqual(SILENCE);
      expect(said(name, allow('fine'))).toEqual(
        name === 'PermissionRequest'
          ? { hookSpecificOutput: { hookEventName: name, decision: { behavior: 'allow' } } }
          : SILENCE,
      );
    },
  );

  test('deny always has a reason', () => {
    const why = (reason: string) => said('PreToolUse', deny(reason));
    const refused = (text: string) => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: text,
      },
    });
    expect(why('no')).toEqual(refused('no'));
    for (const blank of ['', ' \n', '\u0085', '\u2003'])
      expect(why(blank)).toEqual(refused('Refused by Hookline.'));
    expect(why('half \ud83d a pair')).toEqual(refused('half \ufffd a pair'));
  });

  test('ask becomes a denial, which is recorded', () => {
    expect(encode('PreToolUse', ask('Touches production.'))).toMatchObject({
      answer: { stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } } },
      degraded: [{ effect: 'ask' }],
    });
    // Where a prompt is about to open, silence is the asking.
    expect(encode('PermissionRequest', ask('you decide'))).toMatchObject({ answer: SILENCE, degraded: [] });
  });

  test('a rewrite is allow with the whole input', () => {
    const more = { tool_name: 'mcp__echo__say', tool_input: { t: 'x', n: 1 } };
    expect(said('PreToolUse', rewrite({ t: 'y' }), more)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { t: 'y', n: 1 },
      },
    });
  });

  test.each([
    ['no command', { command: 7 }],
    ['a depth that the client gives up on', { deep: JSON.parse('['.repeat(120) + ']'.repeat(120)) }],
  ])('a rewrite with %s would run the original, so the call is denied', (_, args) => {
    expect(encode('PreToolUse', rewrite(args))).toMatchObject({
      answer: { stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } } },
      degraded: [{ effect: 'rewrite' }],
    });
  });

  test("an allow of a changed call doesn't allow the original", () => {
    expect(encode('PermissionRequest', { ...allow(), modifyArgs: { command: 'pwd' } })).toMatchObject({
      answer: SILENCE,
      degraded: [{ effect: 'allow' }, { effect: 'rewrite' }],
    });
  });

  test("if the agent never asks, silence is an allow; otherwise it is recorded that it isn't", () => {
    expect(encode('PreToolUse', allow(), { permission_mode: 'bypassPermissions' }).degraded).toEqual([]);
    expect(encode('PreToolUse', allow()).degraded).toMatchObject([{ effect: 'allow' }]);
  });

  test("a halt before a tool denies the call, because the turn can't be ended there", () => {
    expect(encode('PreToolUse', halt('The budget is spent.'))).toMatchObject({
      answer: {
        stdout_json: { hookSpecificOutput: { permissionDecisionReason: 'The budget is spent.' } },
      },
      degraded: [{ effect: 'halt' }],
    });
    expect(said('PermissionRequest', { ...allow(), halt: 'enough' })).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'deny', message: 'enough' } },
    });
  });

  test('on Stop, block keeps the agent working, continue:false lets it stop and wins', () => {
    expect(said('Stop', deny('tests fail'))).toEqual({ decision: 'block', reason: 'tests fail' });
    expect(said('Stop', { ...deny('tests fail'), context: 'see log' })).toEqual({
      decision: 'block',
      reason: 'tests fail\n\nsee log',
    });
    expect(encode('Stop', { ...deny('tests fail'), halt: 'enough' })).toMatchObject({
      answer: { stdout_json: { continue: false, stopReason: 'enough' } },
      degraded: [{ effect: 'deny' }],
    });
  });

  test('SessionStart always has hookSpecificOutput', () => {
    const hookSpecificOutput = { hookEventName: 'SessionStart' };
    expect(said('SessionStart', halt('no'))).toEqual({
      hookSpecificOutput,
      continue: false,
      stopReason: 'no',
    });
    expect(said('SessionStart', { ...none(), systemMessage: 'hi' })).toEqual({
      hookSpecificOutput,
      systemMessage: 'hi',
    });
  });

  test('the reason of a block replaces an output, even an empty one', () => {
    const replaced = (replaceOutput: unknown) => said('PostToolUse', { ...none(), replaceOutput });
    expect(replaced('key=***')).toEqual({ decision: 'block', reason: 'key=***' });
    expect(replaced({ a: 1 })).toEqual({ decision: 'block', reason: '{"a":1}' });
    expect(replaced('')).toEqual({ decision: 'block', reason: 'The output was withheld by Hookline.' });
  });

  test('continue:false denies compaction', () => {
    expect(said('PreCompact', deny('not now'))).toEqual({ continue: false, stopReason: 'not now' });
  });

  test.each(['PreModelRequest', 'PostModelRequest', 'SessionEnd'])('%s is never answered', (name) => {
    for (const response of Object.values(CANONICAL_RESPONSES)) expect(said(name, response)).toEqual(SILENCE);
  });

  test('context goes to the model and messages to the user', () => {
    expect(said('PreToolUse', { ...context('know this'), systemMessage: 'see this' })).toEqual({
      systemMessage: 'see this',
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'know this' },
    });
  });

  test('records unsupported effects, which never invalidate an answer', () => {
    expect(
      encode('PreToolUse', { ...deny('no'), suppressOutput: true, triggerAction: 'clear' }),
    ).toMatchObject({
      answer: encode('PreToolUse', deny('no')).answer,
      degraded: [{ effect: 'triggerAction' }, { effect: 'suppressOutput' }],
    });
    expect(encode('PreToolUse', { ...none(), suppressOutput: true })).toMatchObject({
      answer: SILENCE,
      degraded: [],
    });
  });

  test('leaves out fields of other agents', () => {
    const response = { ...none(), native: { codex: { suppressOutput: true }, claude: { a: 1 } } };
    expect(encode('PreToolUse', response)).toMatchObject({
      answer: SILENCE,
      degraded: [{ effect: 'native' }],
    });
  });
});

describe('an unreadable payload', () => {
  const unreadable = (name: string, problem: string | null = 'bad'): EventOf<'unknown'> => ({
    ...event('FutureEvent'),
    type: 'unknown',
    nativeEvent: name,
    native: {},
    problem,
  });

  test.each(['PreToolUse', 'pre-tool-use', 'PermissionRequest', 'UserPromptSubmit'])(
    'is denied on %s',
    (name) => {
      const { answer, degraded } = codex.encode(unreadable(name), deny('no'), {});
      expect(JSON.stringify(answer)).toMatch(/"deny"|"block"/);
      expect(degraded).toEqual([]);
    },
  );

  test.each(['Stop', 'PostToolUse', 'PreCompact', 'FutureEvent', ''])('passes on %j', (name) => {
    expect(codex.encode(unreadable(name), deny('no'), {})).toMatchObject({
      answer: SILENCE,
      degraded: [{ effect: 'deny' }],
    });
  });

  test('an event of a later version passes even a denial', () => {
    expect(codex.encode(unreadable('PreToolUse', null), deny('no'), {}).answer).toEqual(SILENCE);
  });
});

describe('any response', () => {
  const tools = [
    {},
    { tool_name: 'apply_patch', tool_input: { command: '*** Begin Patch\n*** End Patch' } },
    { tool_name: 'mcp__echo__say', tool_input: { t: 'x' } },
    { permission_mode: 'bypassPermissions' },
  ];
  const anyEvent = fc
    .tuple(fc.constantFrom(...payloads.names), fc.constantFrom(...tools))
    .map(([name, more]) => event(name, more));

  test('is answered in a way that the parser accepts', () => {
    fc.assert(
      fc.property(anyEvent, anyResponse, (one, response) => {
        expect(objection(one.nativeEvent, codex.encode(one, response, {}).answer)).toBeNull();
      }),
      { numRuns: 1_500 },
    );
  });

  test('is answered in a form that the client can read', () => {
    fc.assert(
      fc.property(anyEvent, anyResponse, (one, response) => {
        expect(shapeObjection(one.nativeEvent, codex.encode(one, response, {}).answer)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('that denies is always received as a denial where possible, and only allow allows', () => {
    fc.assert(
      fc.property(anyEvent, anyResponse, (one, response) => {
        const { answer } = codex.encode(one, response, {});
        const text = JSON.stringify(answer);
        if (response.decision !== 'allow') expect(text).not.toContain('"behavior":"allow"');
        const guarded = ['before_tool', 'permission_request', 'before_agent'].includes(one.type);
        if (guarded && response.decision === 'deny') expect(text).toMatch(/"deny"|"block"/);
        // What a rewrite says is the input it has, never a bare permission.
        if (text.includes('"permissionDecision":"allow"')) expect(text).toContain('"updatedInput":{');
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['PreToolUse', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }],
    ['PreToolUse', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } }],
    ['PreToolUse', { continue: false, decision: 'block', stopReason: 'no', reason: 'no' }],
    ['PreToolUse', { decision: 'block', reason: '\u0085' }],
    ['SessionStart', { systemMessage: 'x' }],
    [
      'PermissionRequest',
      {
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'deny', interrupt: true },
        },
      },
    ],
    ['SessionEnd', { systemMessage: 'x' }],
    ['Stop', { decision: 'block', reason: 'half \ud800' }],
  ])("the parser's rules reject %s %j", (name, stdout_json) => {
    expect(objection(name, { action: 'json_output', stdout_json })).not.toBeNull();
  });

  test.each([
    ['PreToolUse', { decision: 'block', reason: 'no', severity: 'high' }, 'severity'],
    ['PreToolUse', { decision: 'deny', reason: 'no' }, 'decision'],
    ['PreToolUse', { hookSpecificOutput: { hookEventName: 'PreToolUse', extra: 1 } }, 'extra'],
    ['PreToolUse', { hookSpecificOutput: { permissionDecision: 'deny' } }, 'hookEventName'],
    ['PreToolUse', { hookSpecificOutput: { hookEventName: 'Stop' } }, 'hookEventName'],
    ['PreToolUse', { systemMessage: null }, 'systemMessage'],
    ['PermissionRequest', { decision: 'block', reason: 'no' }, 'decision'],
    [
      'PermissionRequest',
      { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'ask' } } },
      'behavior',
    ],
    ['SessionStart', { decision: 'block', reason: 'no' }, 'decision'],
    ['Stop', { hookSpecificOutput: { hookEventName: 'Stop' } }, 'hookSpecificOutput'],
    ['Stop', { decision: 'approve' }, 'decision'],
    ['PreCompact', { reason: 'no' }, 'reason'],
    ['Interrupt', { continue: false }, 'continue'],
    ['SessionEnd', { systemMessage: 'x' }, 'nothing may be printed'],
  ])('the schemas reject %s %j', (name, stdout_json, where) => {
    expect(shapeObjection(name, { action: 'json_output', stdout_json })).toContain(where);
  });

  test('every event has a schema, except those that are never answered', () => {
    const silent = payloads.names.filter((name) => !ANSWERED_EVENTS.includes(name));
    expect([...silent].sort()).toEqual(['PostModelRequest', 'PreModelRequest', 'SessionEnd']);
    expect(ANSWERED_EVENTS.filter((name) => !payloads.names.some((one) => one === name))).toEqual([]);
  });
});
