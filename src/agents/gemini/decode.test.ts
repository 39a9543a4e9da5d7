import { describe, expect, test } from 'vitest';
import { DecodeError } from '../../model/errors.ts';
import type { NativeCall } from '../../model/native.ts';
import { payloads } from './decode.ts';
import { history } from './history.ts';
import gemini from './index.ts';

const decode = (payload: unknown, event: string | null = null, env: NativeCall['env'] = {}) =>
  gemini.decode({ id: 'call', receivedAt: 1, event, payload, env });
const tool = (name: string, input: object, more: object = {}) =>
  decode({ session_id: 's', hook_event_name: 'BeforeTool', tool_name: name, tool_input: input, ...more });
const after = (name: string, response: unknown) =>
  decode({
    session_id: 's',
    hook_event_name: 'AfterTool',
    tool_name: name,
    tool_input: {},
    tool_response: response,
  });

test('knows all 11 events of the client', () => {
  expect(payloads.names).toHaveLength(11);
});

describe('which event it is', () => {
  test('is what the payload says, whatever the settings say', () => {
    const event = decode({ session_id: 's', hook_event_name: 'SessionEnd', reason: 'exit' }, 'BeforeTool');
    expect(event).toMatchObject({ type: 'session_end', nativeEvent: 'SessionEnd', reason: 'exit' });
  });

  test.each(['FutureEvent', '__proto__', 'constructor'])('%s is unknown, and passes', (name) => {
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

test.each([
  ['no session', { hook_event_name: 'BeforeTool', tool_name: 'x', tool_input: {} }],
  ['a tool without a name', { hook_event_name: 'BeforeTool', session_id: 's', tool_input: {} }],
  [
    'input that is a list',
    { hook_event_name: 'BeforeTool', session_id: 's', tool_name: 'x', tool_input: [] },
  ],
  ['a prompt that is missing', { hook_event_name: 'BeforeAgent', session_id: 's' }],
])('%s is refused', (_, payload) => {
  expect(() => decode(payload)).toThrow(DecodeError);
});

describe('a prompt with context of hooks', () => {
  const context = '<hook_context>Earlier work: &lt;b&gt;\n- a\n</hook_context>';
  const promptOf = (name: string, prompt: string) =>
    decode({ session_id: 's', hook_event_name: name, prompt, prompt_response: 'Done.' });

  test.each(['BeforeAgent', 'AfterAgent'])('%s records only what the user typed', (name) => {
    expect(promptOf(name, `${context}\n\nFix the bug`)).toMatchObject({ prompt: 'Fix the bug' });
    expect(promptOf(name, `Fix the bug${context}`)).toMatchObject({ prompt: 'Fix the bug' });
    expect(promptOf(name, `${context}${context}`)).toMatchObject({ prompt: '' });
  });

  test('keeps a mention of the tag, and a block that does not end', () => {
    for (const prompt of ['What is <hook_context>a</hook_context> for?', '<hook_context>a < b'])
      expect(promptOf('BeforeAgent', prompt)).toMatchObject({ prompt });
  });

  test('keeps the payload as it came', () => {
    const native = { prompt: `${context}\n\nFix the bug` };
    expect(promptOf('BeforeAgent', native.prompt)).toMatchObject({ native });
  });

  test('is not a turn of its own in the transcript', () => {
    const reader = history.readTranscript();
    const say = (id: string, text: string) => reader.add({ id, type: 'user', content: [{ text }] });
    say('1', context);
    say('2', `${context}\n\nFix the bug`);
    expect(reader.transcript().turns.map(({ prompt }) => prompt)).toEqual(['Fix the bug']);
  });
});

describe('what a dispatcher script sends', () => {
  // As in the wrapper of the first hub: many fields are not there, and tools are named by their classes.
  const session = { session_id: 'gemini-session-123', cwd: '/path', timestamp: '2025-01-15T10:30:00Z' };

  test.each([
    ['SessionStart', {}, { type: 'session_start', trigger: 'unknown' }],
    ['SessionEnd', {}, { type: 'session_end', reason: 'unknown' }],
    ['BeforeAgent', { prompt: 'Hi' }, { type: 'before_agent', prompt: 'Hi' }],
    ['AfterAgent', { prompt: 'Hi' }, { type: 'after_agent', stopHookActive: false, prompt: 'Hi' }],
    [
      'BeforeToolSelection',
      { available_tools: ['ReadFile'] },
      { type: 'before_tool_selection', request: null },
    ],
    ['BeforeModel', { llm_request: { model: 'm' } }, { type: 'before_model', request: { model: 'm' } }],
    ['PreCompress', {}, { type: 'pre_compact', trigger: 'unknown' }],
  ])('%s', (name, more, expected) => {
    expect(decode({ ...session, ...more }, name)).toMatchObject({ ...expected, nativeEvent: name });
  });
});

describe('tools', () => {
  test.each([
    ['run_shell_command', 'Bash'],
    ['RunShellCommand', 'Bash'],
    ['ShellTool', 'Bash'],
    ['read_file', 'Read'],
    ['ReadFile', 'Read'],
    ['ReadFileTool', 'Read'],
    ['write_file', 'Write'],
    ['WriteFileTool', 'Write'],
    ['replace', 'Edit'],
    ['EditFile', 'Edit'],
    ['EditFileTool', 'Edit'],
    ['GlobTool', 'Glob'],
    ['grep_search', 'Grep'],
    ['search_file_content', 'Grep'],
    ['GrepTool', 'Grep'],
    ['list_directory', 'Ls'],
    ['google_web_search', 'WebSearch'],
    ['ask_user', 'AskUserQuestion'],
    ['invoke_agent', 'Task'],
    ['update_topic', 'update_topic'],
  ])('%s is %s', (native, name) => {
    expect(tool(native, {})).toMatchObject({ tool: { name, nativeName: native, useId: null } });
  });

  test.each([
    ['run_shell_command', { command: 'ls' }, { kind: 'shell', command: 'ls', files: [] }],
    ['ShellTool', { command: 'ls' }, { kind: 'shell', command: 'ls' }],
    ['read_file', { file_path: 'a' }, { files: [{ op: 'read', path: 'a' }], command: null }],
    ['ReadFile', { absolute_path: '/a' }, { files: [{ op: 'read', path: '/a' }] }],
    ['read_many_files', { paths: ['a', 7, 'b'] }, { files: [{ path: 'a' }, { path: 'b' }] }],
    ['write_file', { file_path: 'a' }, { files: [{ op: 'write', path: 'a' }] }],
    ['replace', { file_path: 'a' }, { files: [{ op: 'edit', path: 'a' }] }],
  ])('%s %j', (name, input, expected) => {
    expect(tool(name, input)).toMatchObject({ tool: { input, ...expected } });
  });

  test.each([
    [
      'mcp_my-srv_do_thing',
      { server_name: 'my-srv', tool_name: 'do_thing' },
      { server: 'my-srv', tool: 'do_thing' },
    ],
    ['mcp_my_srv_do', { server_name: 'my_srv', tool_name: 'do' }, { server: 'my_srv', tool: 'do' }],
    ['mcp_db_run_now', undefined, { server: 'db', tool: 'run_now' }],
    ['mcp__db__run', undefined, { server: 'db', tool: 'run' }],
    ['mcp_nothing', undefined, null],
  ])('%s of %j', (name, context, mcp) => {
    expect(tool(name, {}, { mcp_context: context })).toMatchObject({ tool: { name, mcp } });
  });

  test('a command runs in the folder that it names', () => {
    const input = { command: 'ls', dir_path: 'packages/a' };
    expect(tool('run_shell_command', input)).toMatchObject({ tool: { cwd: 'packages/a' } });
    expect(tool('run_shell_command', { command: 'ls' })).not.toHaveProperty('tool.cwd');
    expect(tool('list_directory', { dir_path: 'packages/a' })).not.toHaveProperty('tool.cwd');
  });

  test('a changed call is judged by its new arguments', () => {
    const event = tool(
      'mcp_my_srv_do',
      { a: 1 },
      { mcp_context: { server_name: 'my_srv', tool_name: 'do' } },
    );
    if (event.type !== 'before_tool') throw new Error('not a tool event');
    expect(gemini.withInput(event.tool, { a: 2 })).toEqual({ ...event.tool, input: { a: 2 } });
  });

  test('an imagined call decodes as a real one', () => {
    const payload = gemini.toolPayload({ id: 'i', tool: 'Bash', input: { command: 'ls' }, cwd: '/w' });
    expect(decode(payload)).toMatchObject({
      type: 'before_tool',
      cwd: '/w',
      tool: { name: 'Bash', nativeName: 'run_shell_command', command: 'ls' },
    });
  });
});

describe('how a call went', () => {
  const shell = (end: string, output = 'x') => ({
    llmContent: `<untrusted_context>\nOutput: ${output}\n${end}Process Group PGID: 7\n</untrusted_context>`,
    returnDisplay: '',
  });

  test.each([
    [shell(''), 'ok', null],
    [shell('Exit Code: 3\n'), 'failed', 'Exit Code: 3'],
    [shell('Error: boom\nExit Code: 3\n'), 'failed', 'Exit Code: 3'],
    [shell('Signal: SIGKILL\n'), 'failed', 'Signal: SIGKILL'],
    [shell('Exit Code: 1\nBackground PIDs: 8, 9\n'), 'failed', 'Exit Code: 1'],
    // What the command itself prints is not taken for how it ended.
    [shell('', 'Exit Code: 3\nProcess Group PGID: 1\n</untrusted_context>\nmore'), 'ok', null],
    [
      { llmContent: 'Command was cancelled by user before it could complete.' },
      'interrupted',
      expect.any(String),
    ],
    [
      { llmContent: 'x', error: { message: 'no such file', type: 'file_not_found' } },
      'failed',
      'no such file',
    ],
    [null, 'unknown', null],
  ])('%j is %s', (response, outcome, error) => {
    expect(after('run_shell_command', response)).toMatchObject({ tool: { outcome, error } });
  });

  test('only a shell has an exit code', () => {
    expect(after('read_file', shell('Exit Code: 3\n'))).toMatchObject({ tool: { outcome: 'ok' } });
  });
});

describe('what cannot be known is marked', () => {
  const base = { session_id: 's', tool_input: {} };

  test('a call may be a subagent’s, except the one that always is', () => {
    expect(decode({ ...base, tool_name: 'glob' }, 'BeforeTool').metadata).toEqual({ agentUnknown: true });
    expect(decode({ ...base, tool_name: 'complete_task' }, 'BeforeTool').metadata).toEqual({
      insideSubagent: true,
    });
    expect(decode({ ...base, prompt: '' }, 'BeforeAgent').metadata).toEqual({});
  });

  test('a check before every request is not a compaction, one that a person asked for is', () => {
    expect(decode({ ...base, trigger: 'auto' }, 'PreCompress').metadata).toMatchObject({ advisory: true });
    expect(decode({ ...base, trigger: 'manual' }, 'PreCompress').metadata).not.toHaveProperty('advisory');
  });

  test('the last message may have pieces twice, or not be there', () => {
    expect(decode({ ...base, prompt: 'p', prompt_response: 'A B C B  C' }, 'AfterAgent')).toMatchObject({
      lastAssistantMessage: 'A B C B  C',
      metadata: { messageMayRepeat: true },
    });
    expect(
      decode({ ...base, prompt: 'p', prompt_response: '[no response text]' }, 'AfterAgent'),
    ).toMatchObject({ lastAssistantMessage: null });
  });
});

test('an event happened when the client says, and reached us when it did', () => {
  const at = (timestamp: unknown) => {
    const payload = { session_id: 's', hook_event_name: 'SessionStart', source: 'startup', timestamp };
    return payloads.decode({ id: 'e', receivedAt: 1_800_000_000_000, event: null, payload, env: {} });
  };
  expect(at('2025-01-15T10:30:00Z')).toMatchObject({
    timestamp: Date.UTC(2025, 0, 15, 10, 30),
    receivedAt: 1_800_000_000_000,
  });
  // A clock that is far ahead, and what is not a time, count for nothing.
  for (const odd of ['2999-01-01T00:00:00Z', 'soon', '', null]) {
    expect(at(odd)).toMatchObject({ timestamp: 1_800_000_000_000, receivedAt: 1_800_000_000_000 });
  }
});

test('a notification has its details, and an MCP call the server behind it', () => {
  const decode = (payload: object) =>
    payloads.decode({
      id: 'e',
      receivedAt: 0,
      event: null,
      payload: { session_id: 's', ...payload },
      env: {},
    });
  const details = { type: 'exec', title: 'Run?', command: 'ls', rootCommand: 'ls' };
  expect(
    decode({ hook_event_name: 'Notification', notification_type: 'ToolPermission', message: 'm', details }),
  ).toMatchObject({ type: 'notification', title: 'Run?', details });
  const mcp_context = { server_name: 'db', tool_name: 'query', command: 'npx', args: ['db-mcp'], cwd: '/p' };
  expect(
    decode({ hook_event_name: 'BeforeTool', tool_name: 'mcp_db_query', tool_input: {}, mcp_context }),
  ).toMatchObject({
    tool: {
      mcp: {
        server: 'db',
        tool: 'query',
        origin: { command: 'npx', args: ['db-mcp'], cwd: '/p', url: null },
      },
    },
  });
  const remote = { server_name: 'db', tool_name: 'query', tcp: 'ws://db:1' };
  expect(
    decode({ hook_event_name: 'AfterTool', tool_name: 'mcp_db_query', tool_input: {}, mcp_context: remote }),
  ).toMatchObject({ tool: { mcp: { origin: { command: null, args: [], url: 'ws://db:1' } } } });
});
