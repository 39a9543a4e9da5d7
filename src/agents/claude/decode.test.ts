import { describe, expect, test } from 'vitest';
import { DecodeError } from '../../model/errors.ts';
import type { NativeCall } from '../../model/native.ts';
import { payloads } from './decode.ts';
import claude from './index.ts';

const decode = (payload: unknown, event: string | null = null, env: NativeCall['env'] = {}) =>
  claude.decode({ id: 'call', receivedAt: 1, event, payload, env });
const tool = (name: string, input: object, more: object = {}) =>
  decode({ session_id: 's', hook_event_name: 'PreToolUse', tool_name: name, tool_input: input, ...more });

test('knows all 33 events of the client', () => {
  expect(payloads.names).toHaveLength(33);
});

describe('event name', () => {
  test('comes from the payload, whatever the settings say', () => {
    const event = decode({ session_id: 's', hook_event_name: 'SessionEnd', reason: 'clear' }, 'Stop');
    expect(event).toMatchObject({ type: 'session_end', nativeEvent: 'SessionEnd' });
  });

  test.each(payloads.names)(
    '%s may be named by the caller, in the spelling of dispatcher scripts',
    (name) => {
      const kebab = name.replace(/[A-Z]/g, (letter, at) => (at > 0 ? '-' : '') + letter.toLowerCase());
      const tolerant = {
        session_id: 's',
        tool_name: 'Bash',
        tool_input: {},
        tool_calls: [],
        prompt: '',
        command_name: '',
        task_id: '1',
        from_model: 'a',
        to_model: 'b',
        mcp_server_name: 'm',
        action: 'accept',
        file_path: '/f',
        old_cwd: '/',
        new_cwd: '/',
        directory: '/',
        name: 'n',
        worktree_path: '/',
        message_id: 'm',
        delta: '',
      };
      expect(decode(tolerant, kebab)).toMatchObject({ nativeEvent: name });
    },
  );

  test.each(['FutureEvent', '__proto__', 'constructor', 'toString'])('%s is unknown and passes', (name) => {
    expect(decode({ session_id: 's', hook_event_name: name })).toMatchObject({
      type: 'unknown',
      nativeEvent: name,
      problem: null,
    });
  });

  test('is unknown without any name', () => {
    expect(() => decode({ session_id: 's' })).toThrow(DecodeError);
  });
});

describe('a payload of the wrong shape', () => {
  test.each([
    ['no session', { hook_event_name: 'Stop' }],
    ['an empty session', { hook_event_name: 'Stop', session_id: '' }],
    ['a session that is a number', { hook_event_name: 'Stop', session_id: 7 }],
    ['a name that is a number', { hook_event_name: 7, session_id: 's' }],
    ['a tool without a name', { hook_event_name: 'PreToolUse', session_id: 's', tool_input: {} }],
    ['a tool without input', { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash' }],
    [
      'input that is a list',
      { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: [] },
    ],
    ['a prompt that is missing', { hook_event_name: 'UserPromptSubmit', session_id: 's' }],
  ])('%s', (_, payload) => {
    expect(() => decode(payload, 'Stop')).toThrow(DecodeError);
  });

  test('is described without the value, which may be a secret', () => {
    const payload = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      tool_name: 'Bash',
      tool_input: 'hunter2',
    };
    expect(() => decode(payload)).toThrow(/PreToolUse.*tool_input/);
    expect(() => decode(payload)).not.toThrow(/hunter2/);
  });
});

describe("a dispatcher script's payload", () => {
  test('has a machine and the old name of the response', () => {
    const event = decode(
      {
        session_id: 's',
        machine_id: 'm-1',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_output: 'a.txt',
      },
      'post-tool-use',
    );
    expect(event).toMatchObject({
      machineId: 'm-1',
      cwd: null,
      tool: { response: 'a.txt', outcome: 'ok', command: 'ls' },
    });
  });

  test('has the error of a failed call in place of its output', () => {
    const event = decode(
      { session_id: 's', tool_name: 'Bash', tool_input: {}, tool_output: 'no such command' },
      'post-tool-use-failure',
    );
    expect(event).toMatchObject({ tool: { outcome: 'failed', error: 'no such command' } });
  });

  test.each([
    ['session-end', { type: 'session_end', reason: 'unknown' }],
    ['pre-compact', { type: 'pre_compact', trigger: 'unknown', instructions: null }],
    ['subagent-start', { type: 'subagent_start', subagentId: 'child', subagentType: 'unknown' }],
    ['notification', { type: 'notification', message: '' }],
  ])('%s leaves out descriptive fields', (name, expected) => {
    expect(decode({ session_id: 's', agent_id: 'parent', subagent_id: 'child' }, name)).toMatchObject(
      expected,
    );
  });
});

describe('tools', () => {
  test.each([
    ['Agent', {}, { name: 'Task', kind: 'agent' }],
    ['Task', {}, { name: 'Task', kind: 'agent' }],
    ['Bash', { command: 'ls' }, { kind: 'shell', command: 'ls', files: [] }],
    ['Bash', { command: 7 }, { command: null }],
    ['Read', { file_path: '/a' }, { kind: 'read', files: [{ op: 'read', path: '/a' }], command: null }],
    ['Write', { file_path: '/a' }, { kind: 'write', files: [{ op: 'write', path: '/a' }] }],
    ['Edit', { file_path: '/a' }, { kind: 'write', files: [{ op: 'edit', path: '/a' }] }],
    ['NotebookEdit', { notebook_path: '/n' }, { kind: 'write', files: [{ op: 'edit', path: '/n' }] }],
    ['AskUserQuestion', {}, { kind: 'question' }],
    ['Whatever', { file_path: '/a' }, { name: 'Whatever', kind: 'other', files: [] }],
  ])('%s %j', (name, input, expected) => {
    expect(tool(name, input)).toMatchObject({ tool: { nativeName: name, input, ...expected } });
  });

  test.each([
    ['mcp__db__query', undefined, { server: 'db', tool: 'query' }],
    ['mcp__db__run__now', undefined, { server: 'db', tool: 'run__now' }],
    ['mcp__my__db__query', 'my__db', { server: 'my__db', tool: 'query' }],
    ['mcp__plugin_x_db__query', 'plugin:x:db', { server: 'plugin:x:db', tool: 'query' }],
    ['mcp__nothing', undefined, null],
    ['mcp____', undefined, null],
  ])('%s of server %s', (name, server, mcp) => {
    expect(tool(name, {}, server ? { mcp_server: { name: server } } : {})).toMatchObject({ tool: { mcp } });
  });

  test('a Write that created a file is recognized as one afterwards', () => {
    const event = decode({
      session_id: 's',
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { file_path: '/a' },
      tool_response: { type: 'create' },
    });
    expect(event).toMatchObject({ tool: { files: [{ op: 'create', path: '/a' }] } });
  });

  test.each([
    ['PostToolUse', { tool_response: { stdout: '', interrupted: true } }, 'interrupted'],
    ['PostToolUse', { tool_response: { stdout: '' } }, 'ok'],
    ['PostToolUseFailure', { error: 'Exit code 3' }, 'failed'],
    ['PostToolUseFailure', { error: 'Interrupted', is_interrupt: true }, 'interrupted'],
  ])('%s %j is %s', (name, more, outcome) => {
    const base = { session_id: 's', hook_event_name: name, tool_name: 'Bash', tool_input: {} };
    expect(decode({ ...base, ...more })).toMatchObject({ tool: { outcome } });
  });

  test('input keeps keys with names of prototype properties', () => {
    const payload: unknown = JSON.parse(
      '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"__proto__":{"command":"rm"},"constructor":1}}',
    );
    const event = decode(payload);
    expect(JSON.stringify(event)).toContain('"input":{"__proto__":{"command":"rm"},"constructor":1}');
    expect(event).toMatchObject({ tool: { command: null } });
  });

  test('a changed call is evaluated with its new arguments', () => {
    const event = tool('Bash', { command: 'rm -rf /' });
    if (event.type !== 'before_tool') throw new Error('not a tool event');
    expect(claude.withInput(event.tool, { command: 'ls' })).toEqual({
      ...event.tool,
      input: { command: 'ls' },
      command: 'ls',
    });
  });

  test('an imagined call decodes like a real one', () => {
    const payload = claude.toolPayload({ id: 'i', tool: 'Task', input: { prompt: 'x' }, cwd: '/w' });
    expect(decode(payload)).toMatchObject({
      type: 'before_tool',
      cwd: '/w',
      tool: { name: 'Task', nativeName: 'Agent', input: { prompt: 'x' } },
    });
  });
});

test('the session may end for reasons that versions add and drop', () => {
  const payload = { session_id: 's', hook_event_name: 'SessionEnd', reason: 'bypass_permissions_disabled' };
  expect(decode(payload)).toMatchObject({ reason: 'bypass_permissions_disabled' });
});

test('variables of the client become metadata', () => {
  const env = {
    AI_AGENT: 'claude-code_2-1-325_harness',
    CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
    CLAUDE_CODE_SESSION_ATTENDED: '0',
    CLAUDE_PROJECT_DIR: '/w',
  };
  expect(decode({ session_id: 's', hook_event_name: 'Setup', trigger: 'init' }, null, env).metadata).toEqual({
    clientVersion: '2.1.325',
    entrypoint: 'sdk-cli',
    attended: false,
    projectDir: '/w',
  });
});

test('maps stop reasons and interrupted calls to our terms', () => {
  const decode = (payload: object) =>
    payloads.decode({
      id: 'e',
      receivedAt: 0,
      event: null,
      payload: { session_id: 's', ...payload },
      env: {},
    });
  expect(decode({ hook_event_name: 'Stop', stop_reason: 'end_turn' })).toMatchObject({
    stopReason: 'end_turn',
  });
  expect(decode({ hook_event_name: 'Stop' })).not.toHaveProperty('stopReason');
  const failure = { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: {}, error: 'cut' };
  expect(decode({ ...failure, is_interrupt: true })).toMatchObject({ tool: { outcome: 'interrupted' } });
  expect(decode({ ...failure, is_interrupt: false })).toMatchObject({ tool: { outcome: 'failed' } });
});
