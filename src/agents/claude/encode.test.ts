import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answersOf } from '../../../test/support/agents/answers.ts';
import { anyResponse } from '../../../test/support/agents/properties.ts';
import type { EventOf } from '../../model/events.ts';
import { ask, context, deny, type HookResponse, halt, none, rewrite } from '../../model/responses.ts';
import type { Encoded } from '../agent.ts';
import claude from './index.ts';

const TOOL = { tool_name: 'Bash', tool_input: { command: 'ls', description: 'List' }, tool_use_id: 't' };

const { event, ...answers } = answersOf(claude);
const encode = (name: string, more: object, response: HookResponse, env = {}) =>
  answers.encode(name, response, more, env);
const said = (name: string, more: object, response: HookResponse) => answers.said(name, response, more);

const SILENCE = { action: 'passthrough' };

describe('the facts that break a naive adapter', () => {
  test('1: text for the model never goes into systemMessage, which only the user sees', () => {
    expect(said('PreToolUse', TOOL, context('know this'))).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'know this' },
    });
  });

  test("2: a denied tool doesn't end the turn, and ending the turn doesn't stop a tool", () => {
    expect(said('PreToolUse', TOOL, deny('no'))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no',
      },
    });
    expect(encode('PreToolUse', TOOL, halt('enough')).degraded).toMatchObject([{ effect: 'halt' }]);
    expect(said('PreToolUse', TOOL, { ...deny('no'), halt: 'enough' })).toMatchObject({
      continue: false,
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
  });

  test('3: on Stop, block keeps the agent working, continue:false lets it stop and wins', () => {
    expect(said('Stop', {}, deny('tests fail'))).toEqual({ decision: 'block', reason: 'tests fail' });
    expect(said('Stop', {}, halt('enough'))).toEqual({ continue: false, stopReason: 'enough' });
    expect(encode('Stop', {}, { ...deny('tests fail'), halt: 'enough' })).toMatchObject({
      answer: { stdout_json: { continue: false, stopReason: 'enough' } },
      degraded: [{ effect: 'deny' }],
    });
  });

  test('3: on Stop, context alone would keep the agent working, so it stays pending', () => {
    const { answer, degraded } = encode('Stop', {}, context('by the way'));
    expect(answer).toEqual(SILENCE);
    expect(degraded).toMatchObject([{ effect: 'context' }]);
    expect(encode('Stop', {}, { ...deny('tests fail'), context: 'see log' })).toEqual({
      answer: { action: 'json_output', stdout_json: { decision: 'block', reason: 'tests fail\n\nsee log' } },
      degraded: [],
      appends: [],
    });
  });

  test('4: PermissionRequest reads behavior and message, and nothing at the top level', () => {
    expect(said('PermissionRequest', TOOL, deny('no'))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: 'no' },
      },
    });
    expect(encode('PermissionRequest', TOOL, ask('you decide'))).toEqual({
      answer: SILENCE,
      degraded: [],
      appends: [],
    });
  });

  test('5: updatedInput replaces the whole input, so the whole input is sent', () => {
    expect(said('PreToolUse', TOOL, rewrite({ command: 'pwd' }))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        updatedInput: { command: 'pwd', description: 'List' },
      },
    });
  });

  test('6: no exit code is used where JSON works', () => {
    const refused = ['PreToolUse', 'PostToolUse', 'PermissionRequest', 'Stop', 'PreCompact', 'ConfigChange'];
    for (const name of refused) {
      expect(encode(name, TOOL, deny('no')).answer.action).toBe('json_output');
    }
  });

  test('10: a replaced output has the shape of the tool', () => {
    const bash = { ...TOOL, tool_response: { stdout: 'key=abc', stderr: 'x', interrupted: false } };
    expect(said('PostToolUse', bash, { decision: 'none', replaceOutput: 'key=***' })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: { stdout: 'key=***', stderr: '', interrupted: false },
      },
    });
    const edit = { ...TOOL, tool_name: 'Edit', tool_response: { filePath: '/a', userModified: false } };
    expect(encode('PostToolUse', edit, { decision: 'none', replaceOutput: 'text' })).toMatchObject({
      answer: SILENCE,
      degraded: [{ effect: 'replaceOutput' }],
    });
    const wrong = { filePath: '/a', userModified: 'no' };
    expect(encode('PostToolUse', edit, { decision: 'none', replaceOutput: wrong }).answer).toEqual(SILENCE);
    const right = { filePath: '/b', userModified: true };
    expect(said('PostToolUse', edit, { decision: 'none', replaceOutput: right })).toMatchObject({
      hookSpecificOutput: { updatedToolOutput: right },
    });
  });
});

describe('variables', () => {
  const env = { CLAUDE_ENV_FILE: '/run/env.sh' };
  const wanted: HookResponse = { decision: 'none', env: { A: "x'; rm -rf /; '", 'B-C': 'no', D: '$(id)' } };

  test('are quoted for the shell, and invalid names are left out', () => {
    const { appends, degraded } = encode('SessionStart', {}, wanted, env);
    expect(appends).toEqual([
      { path: '/run/env.sh', text: "\nexport A='x'\\''; rm -rf /; '\\'''\nexport D='$(id)'\n" },
    ]);
    expect(degraded).toEqual([{ effect: 'env', reason: 'Not exportable: "B-C".' }]);
  });

  test('need the file that the client names, on an event that has one', () => {
    expect(encode('SessionStart', {}, wanted)).toMatchObject({ appends: [], degraded: [{ effect: 'env' }] });
    expect(encode('PreToolUse', TOOL, wanted, env)).toMatchObject({
      appends: [],
      degraded: [{ effect: 'env' }],
    });
  });
});

describe('fields specific to this client', () => {
  const native = (fields: Record<string, unknown>): HookResponse => ({
    ...none(),
    native: { claude: fields },
  });

  test.each([
    [
      'SessionStart',
      {},
      { sessionTitle: 'T', watchPaths: ['/a'], initialUserMessage: 'Hi', reloadSkills: true },
    ],
    ['UserPromptSubmit', { prompt: 'p' }, { sessionTitle: 'T', suppressOriginalPrompt: true }],
    ['PostToolUse', TOOL, { classifierContext: 'c' }],
    ['PermissionDenied', TOOL, { retry: true }],
    ['CwdChanged', { old_cwd: '/', new_cwd: '/a' }, { watchPaths: ['/a'] }],
    ['WorktreeCreate', { name: 'n' }, { worktreePath: '/w' }],
  ])('%s accepts its own', (name, more, fields) => {
    expect(said(name, more, native(fields))).toEqual({
      hookSpecificOutput: { hookEventName: name, ...fields },
    });
  });

  test("are left out where they aren't read, or have a type that would invalidate the whole answer", () => {
    const fields = { sessionTitle: 7, permissionDecision: 'allow', updatedInput: {}, hookEventName: 'Stop' };
    for (const name of ['PreToolUse', 'UserPromptSubmit']) {
      expect(encode(name, { ...TOOL, prompt: 'p' }, native(fields))).toMatchObject({
        answer: SILENCE,
        degraded: [{ effect: 'native', reason: expect.stringContaining('permissionDecision') }],
      });
    }
  });

  test("don't override a decision", () => {
    expect(
      encode('PermissionDenied', TOOL, { ...deny('no'), native: { claude: { retry: true } } }),
    ).toMatchObject({
      answer: SILENCE,
      degraded: [{ effect: 'native' }],
    });
  });

  test('ignores payloads of another agent', () => {
    expect(encode('PreToolUse', TOOL, { ...none(), native: { codex: { a: 1 } } }).degraded).toEqual([]);
  });
});

describe('an unreadable payload', () => {
  const unreadable = (name: string, native: unknown, problem: string | null = 'bad'): EventOf<'unknown'> => ({
    ...event('FutureEvent'),
    type: 'unknown',
    nativeEvent: name,
    native,
    problem,
  });

  test.each([
    ['PreToolUse', {}, { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }],
    ['', { hook_event_name: 'PreToolUse' }, { hookSpecificOutput: { permissionDecision: 'deny' } }],
    ['permission-request', 'x', { hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } }],
    ['UserPromptSubmit', null, { decision: 'block', reason: 'no' }],
  ])('is denied in the form of %j %j', (name, native, expected) => {
    const { answer, degraded } = claude.encode(unreadable(name, native), deny('no'), {});
    expect(answer).toMatchObject({ action: 'json_output', stdout_json: expected });
    expect(degraded).toEqual([]);
  });

  test.each(['Stop', 'PostToolUse', 'SessionStart', 'FutureEvent', ''])('passes on %j', (name) => {
    expect(claude.encode(unreadable(name, {}), deny('no'), {})).toMatchObject({
      answer: SILENCE,
      degraded: [{ effect: 'deny' }],
    });
  });

  test('is answered only with a denial', () => {
    fc.assert(
      fc.property(
        anyResponse,
        fc.constantFrom('PreToolUse', 'PermissionRequest', 'Stop'),
        (response, name) => {
          const { answer } = claude.encode(unreadable(name, {}), response, {});
          if (response.decision !== 'deny') expect(answer).toEqual(SILENCE);
        },
      ),
    );
  });

  test('an event of a later version passes even a denial', () => {
    expect(claude.encode(unreadable('PreToolUse', {}, null), deny('no'), {}).answer).toEqual(SILENCE);
  });
});

test('only allow allows, whatever else a response contains', () => {
  const events = [
    event('PreToolUse', TOOL),
    event('PreToolUse', { ...TOOL, tool_name: 'ExitPlanMode' }),
    event('PermissionRequest', TOOL),
    event('PreModelSwitch', { from_model: 'a', to_model: 'b' }),
    event('Elicitation', { mcp_server_name: 'm', mode: 'url' }),
    event('ElicitationResult', { mcp_server_name: 'm', action: 'decline' }),
  ];
  const verdict = ({ answer }: Encoded) => {
    const own = answer.action === 'json_output' ? Object(answer.stdout_json.hookSpecificOutput) : {};
    return own.permissionDecision ?? own.decision?.behavior ?? own.action ?? 'silence';
  };
  fc.assert(
    fc.property(fc.constantFrom(...events), anyResponse, (one, response) => {
      const heard = verdict(claude.encode(one, response, {}));
      if (response.decision !== 'allow') expect(heard).not.toMatch(/allow|accept/);
      if (response.decision === 'deny') expect(heard).toMatch(/deny|decline/);
    }),
    { numRuns: 1_000 },
  );
});

test('a denial by exit code contains no words that the client treats as a missing script', () => {
  const { answer } = encode('TeammateIdle', {}, deny("cat: No such file; can't open it"));
  expect(answer).toMatchObject({ action: 'block_with_stderr' });
  expect(JSON.stringify(answer)).not.toMatch(/no such file|can't open/i);
});

test("managed settings can't be denied, which is recorded", () => {
  expect(encode('ConfigChange', { source: 'policy_settings' }, deny('no'))).toMatchObject({
    answer: SILENCE,
    degraded: [{ effect: 'deny' }],
  });
});

test('an answer is hidden if there is one, and an unsupported action is recorded', () => {
  const hidden = { ...deny('no'), suppressOutput: true };
  expect(said('PreToolUse', TOOL, hidden)).toMatchObject({ suppressOutput: true });
  expect(encode('PreToolUse', TOOL, { ...none(), suppressOutput: true })).toMatchObject({
    answer: SILENCE,
    degraded: [],
  });
  expect(encode('PreToolUse', TOOL, { ...none(), triggerAction: 'clear' })).toMatchObject({
    answer: SILENCE,
    degraded: [{ effect: 'triggerAction', reason: 'Claude Code has no action "clear" on before_tool.' }],
  });
});
