import { answered, type Element, heard, received, shownBy } from './element.ts';

const DECODE = 'src/agents/gemini/decode.test.ts';
const ENCODE = 'src/agents/gemini/encode.test.ts';
const MODEL = 'src/agents/gemini/encode-model.test.ts';
const BEHIND = 'a notification has its details, and an MCP call the server behind it';

type Json = Readonly<Record<string, unknown>>;
const event = (hook_event_name: string, more: Json, expected: Json) =>
  received('gemini', { hook_event_name, ...more }, expected);
const shell = {
  hook_event_name: 'BeforeTool',
  tool_name: 'run_shell_command',
  tool_input: { command: 'ls' },
};
const says = (stdout: Json, expected: Json) => heard('gemini', shell, { stdout }, expected);
const mcp = (mcp_context: Json, expected: Json) =>
  event(
    'BeforeTool',
    {
      tool_name: 'mcp_db_query',
      tool_input: {},
      mcp_context: { server_name: 'db', tool_name: 'query', ...mcp_context },
    },
    { tool: { mcp: expected } },
  );
const REQUEST = {
  model: 'm',
  messages: [{ role: 'user', content: 'x' }],
  config: { temperature: 0.1, maxOutputTokens: 5, topP: 0.5, topK: 2 },
  toolConfig: { mode: 'AUTO', allowedFunctionNames: ['x'] },
};
const RESPONSE = {
  text: 'y',
  candidates: [
    {
      content: { role: 'model', parts: ['y'] },
      finishReason: 'STOP',
      index: 0,
      safetyRatings: [{ category: 'c', probability: 'LOW', blocked: false }],
    },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
};
const asked = (key: keyof typeof REQUEST): Element => [
  `LLMRequest: ${key}`,
  event('BeforeModel', { llm_request: REQUEST }, { request: { [key]: REQUEST[key] } }),
];
const replied = (key: keyof typeof RESPONSE): Element => [
  `LLMResponse: ${key}`,
  event('AfterModel', { llm_response: RESPONSE }, { response: { [key]: RESPONSE[key] } }),
];

const INPUT: readonly Element[] = [
  ['session_id', event('SessionStart', {}, { sessionId: 's1' })],
  ['transcript_path', event('SessionStart', {}, { transcriptPath: '/t.jsonl' })],
  ['cwd', event('SessionStart', {}, { cwd: '/p' })],
  ['hook_event_name', event('SessionStart', {}, { nativeEvent: 'SessionStart' })],
  [
    'timestamp',
    event(
      'SessionStart',
      { timestamp: '2023-05-01T00:00:00Z' },
      { timestamp: Date.parse('2023-05-01T00:00:00Z'), receivedAt: 1_700_000_000_000 },
    ),
  ],
  [
    'tool_name',
    event(
      'BeforeTool',
      { tool_name: 'write_file', tool_input: {} },
      { tool: { name: 'Write', nativeName: 'write_file' } },
    ),
  ],
  [
    'tool_input',
    event(
      'BeforeTool',
      { tool_name: 'write_file', tool_input: { file_path: '/p/a' } },
      { tool: { files: [{ path: '/p/a' }] } },
    ),
  ],
  [
    'tool_response',
    event(
      'AfterTool',
      { ...shell, hook_event_name: 'AfterTool', tool_response: { llmContent: 'x' } },
      { tool: { response: { llmContent: 'x' } } },
    ),
  ],
  ['mcp_context.server_name', mcp({}, { server: 'db' })],
  ['mcp_context.tool_name', mcp({}, { tool: 'query' })],
  ['mcp_context.command', mcp({ command: 'node' }, { origin: { command: 'node' } })],
  ['mcp_context.args', mcp({ args: ['a'] }, { origin: { args: ['a'] } })],
  ['mcp_context.cwd', mcp({ cwd: '/d' }, { origin: { cwd: '/d' } })],
  ['mcp_context.url', mcp({ url: 'http://x' }, { origin: { url: 'http://x' } })],
  ['mcp_context.tcp', mcp({ tcp: 'x:1' }, { origin: { url: 'x:1' } })],
  ['prompt', event('BeforeAgent', { prompt: 'x' }, { prompt: 'x' })],
  [
    'prompt_response',
    event('AfterAgent', { prompt: 'x', prompt_response: 'y' }, { lastAssistantMessage: 'y' }),
  ],
  ['stop_hook_active', event('AfterAgent', { stop_hook_active: true }, { stopHookActive: true })],
  ['llm_request of BeforeModel', event('BeforeModel', { llm_request: REQUEST }, { request: REQUEST })],
  [
    'llm_request of BeforeToolSelection',
    event('BeforeToolSelection', { llm_request: REQUEST }, { request: REQUEST }),
  ],
  ['llm_response', event('AfterModel', { llm_response: RESPONSE }, { response: RESPONSE })],
  ...['startup', 'resume', 'clear'].map(
    (source): Element => [`source ${source}`, event('SessionStart', { source }, { trigger: source })],
  ),
  ...['exit', 'clear', 'logout', 'prompt_input_exit', 'other'].map(
    (reason): Element => [`reason ${reason}`, event('SessionEnd', { reason }, { reason })],
  ),
  ...['manual', 'auto'].map(
    (trigger): Element => [`trigger ${trigger}`, event('PreCompress', { trigger }, { trigger })],
  ),
  [
    'notification_type',
    event('Notification', { notification_type: 'ToolPermission' }, { kind: 'ToolPermission' }),
  ],
  ['message', event('Notification', { message: 'm' }, { message: 'm' })],
  ['details', shownBy(DECODE, BEHIND)],
];

const OUTPUT: readonly Element[] = [
  ['exit code 0: JSON', says({ decision: 'deny', reason: 'no' }, { decision: 'deny', reason: 'no' })],
  [
    'exit code 0: a text is a systemMessage',
    heard('gemini', shell, { stdout: 'hi' }, { systemMessage: 'hi' }),
  ],
  ['exit code 2', heard('gemini', shell, { exit: 2, stderr: 'no' }, { decision: 'deny', reason: 'no' })],
  [
    'another exit code is a warning',
    heard(
      'gemini',
      shell,
      { exit: 1, stderr: 'w' },
      { decision: 'none', problem: 'it ended with code 1: w' },
    ),
  ],
  ['decision allow', says({ decision: 'allow' }, { decision: 'none' })],
  ['decision deny', says({ decision: 'deny' }, { decision: 'deny' })],
  ['decision block', says({ decision: 'block' }, { decision: 'deny' })],
  ['decision ask', says({ decision: 'ask' }, { decision: 'ask' })],
  ['decision approve', says({ decision: 'approve' }, { decision: 'none' })],
  ['reason', answered('gemini', shell, { decision: 'deny', reason: 'r' }, { body: { reason: 'r' } })],
  [
    'systemMessage',
    answered('gemini', shell, { decision: 'none', systemMessage: 'm' }, { body: { systemMessage: 'm' } }),
  ],
  [
    'continue',
    answered(
      'gemini',
      { hook_event_name: 'AfterAgent' },
      { decision: 'none', halt: 'h' },
      { body: { continue: false } },
    ),
  ],
  [
    'stopReason',
    answered(
      'gemini',
      { hook_event_name: 'AfterAgent' },
      { decision: 'none', halt: 'h' },
      { body: { stopReason: 'h' } },
    ),
  ],
  [
    'suppressOutput',
    answered(
      'gemini',
      shell,
      { decision: 'deny', reason: 'r', suppressOutput: true },
      { body: { suppressOutput: true } },
    ),
  ],
  [
    'hookSpecificOutput',
    shownBy(ENCODE, 'every answer is one JSON object, except where an empty one would choose tools'),
  ],
  [
    'additionalContext on SessionStart',
    answered(
      'gemini',
      { hook_event_name: 'SessionStart' },
      { decision: 'none', context: 'c' },
      { body: { hookSpecificOutput: { additionalContext: 'c' } } },
    ),
  ],
  [
    'additionalContext on BeforeAgent',
    answered(
      'gemini',
      { hook_event_name: 'BeforeAgent', prompt: 'x' },
      { decision: 'none', context: 'c' },
      { body: { hookSpecificOutput: { additionalContext: 'c' } } },
    ),
  ],
  [
    'additionalContext on AfterTool',
    answered(
      'gemini',
      { ...shell, hook_event_name: 'AfterTool' },
      { decision: 'none', context: 'c' },
      { body: { hookSpecificOutput: { additionalContext: 'c' } } },
    ),
  ],
  ['llm_request of an answer', shownBy(MODEL, 'a changed setting includes the others')],
  [
    'llm_response in place of the model',
    shownBy(MODEL, 'a substitute answer comes with a denial, without which it is ignored'),
  ],
  ['llm_response: part of an answer', shownBy(MODEL, 'a replaced chunk keeps its end and its cost')],
  ...(['AUTO', 'ANY', 'NONE'] as const).map(
    (mode): Element => [
      `toolConfig.mode ${mode}`,
      answered(
        'gemini',
        { hook_event_name: 'BeforeToolSelection' },
        { decision: 'none', toolConfig: { mode } },
        { body: { hookSpecificOutput: { toolConfig: { mode } } } },
      ),
    ],
  ),
  ['toolConfig.allowedFunctionNames', shownBy(MODEL, 'tools %j')],
];

/** What Gemini CLI sends to hooks and reads from them. */
export const GEMINI_HOOKS: readonly Element[] = [
  ...INPUT,
  ...OUTPUT,
  asked('model'),
  asked('messages'),
  asked('config'),
  asked('toolConfig'),
  replied('text'),
  replied('candidates'),
  replied('usageMetadata'),
];
