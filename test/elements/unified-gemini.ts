import { answered, type Element, heard, shownBy, wrapped } from './element.ts';

const DISPATCHERS = 'src/daemon/dispatchers.test.ts';

const hook = (hook_type: string, more: Readonly<Record<string, unknown>> = {}) =>
  wrapped({
    source: 'gemini',
    hook_type,
    input_data: { hook_event_name: hook_type, session_id: 'g1', ...more },
  });
const shell = {
  hook_event_name: 'BeforeTool',
  tool_name: 'run_shell_command',
  tool_input: { command: 'ls' },
};
const named = (tool_name: string, name: string): Element => [
  `tool ${tool_name} is ${name}`,
  hook('BeforeTool', { tool_name, tool_input: {} })({ tool: { name } }),
];

/** The same over Gemini CLI. */
export const UNIFIED_GEMINI: readonly Element[] = [
  ['SESSION_START is SessionStart', hook('SessionStart')({ type: 'session_start' })],
  ['SESSION_END is SessionEnd', hook('SessionEnd')({ type: 'session_end' })],
  ['BEFORE_AGENT is BeforeAgent', hook('BeforeAgent', { prompt: 'x' })({ type: 'before_agent' })],
  ['AFTER_AGENT is AfterAgent', hook('AfterAgent', { prompt: 'x' })({ type: 'after_agent' })],
  ['BEFORE_TOOL is BeforeTool', hook('BeforeTool', shell)({ type: 'before_tool' })],
  [
    'AFTER_TOOL is AfterTool',
    hook('AfterTool', { ...shell, hook_event_name: 'AfterTool' })({ type: 'after_tool' }),
  ],
  [
    'BEFORE_TOOL_SELECTION is BeforeToolSelection',
    hook('BeforeToolSelection')({ type: 'before_tool_selection' }),
  ],
  ['BEFORE_MODEL is BeforeModel', hook('BeforeModel')({ type: 'before_model' })],
  ['AFTER_MODEL is AfterModel', hook('AfterModel')({ type: 'after_model' })],
  ['PRE_COMPACT is PreCompress', hook('PreCompress')({ type: 'pre_compact' })],
  ['NOTIFICATION is Notification', hook('Notification')({ type: 'notification' })],
  [
    'wrapper: source, hook_type, input_data',
    hook('SessionStart')({ source: 'gemini', nativeEvent: 'SessionStart' }),
  ],
  ['hook_event_name', hook('SessionEnd')({ nativeEvent: 'SessionEnd' })],
  ['session_id', hook('SessionStart')({ sessionId: 'g1' })],
  ['cwd', hook('SessionStart', { cwd: '/path' })({ cwd: '/path' })],
  [
    'timestamp',
    hook('SessionStart', { timestamp: '2023-01-15T10:30:00Z' })({
      timestamp: Date.parse('2023-01-15T10:30:00Z'),
    }),
  ],
  ['BeforeAgent: prompt', hook('BeforeAgent', { prompt: 'Hi' })({ prompt: 'Hi' })],
  [
    'BeforeTool: tool_name, tool_input',
    hook('BeforeTool', { tool_name: 'RunShellCommand', tool_input: { command: 'ls -la' } })({
      tool: { name: 'Bash', nativeName: 'RunShellCommand', command: 'ls -la' },
    }),
  ],
  named('RunShellCommand', 'Bash'),
  named('ReadFile', 'Read'),
  named('ReadFileTool', 'Read'),
  named('WriteFile', 'Write'),
  named('WriteFileTool', 'Write'),
  named('EditFile', 'Edit'),
  named('EditFileTool', 'Edit'),
  named('GlobTool', 'Glob'),
  named('GrepTool', 'Grep'),
  named('edit_file', 'Edit'),
  [
    'BeforeToolSelection: available_tools',
    hook('BeforeToolSelection', { available_tools: ['ReadFile'] })({
      native: { available_tools: ['ReadFile'] },
    }),
  ],
  [
    'BeforeToolSelection: toolConfig, in words that the client has',
    answered(
      'gemini',
      { hook_event_name: 'BeforeToolSelection' },
      { decision: 'none', toolConfig: { mode: 'NONE' } },
      {
        body: { hookSpecificOutput: { toolConfig: { mode: 'NONE' } } },
      },
    ),
  ],
  [
    'BeforeToolSelection: disabled_tools, which the client does not have, hides no tool',
    heard(
      'gemini',
      { hook_event_name: 'BeforeToolSelection' },
      { stdout: { hookSpecificOutput: { toolConfig: { disabled_tools: ['x'] } } } },
      { decision: 'none' },
    ),
  ],
  [
    'BeforeModel: llm_request',
    hook('BeforeModel', { llm_request: { model: 'm', messages: [] } })({ request: { model: 'm' } }),
  ],
  [
    'BeforeModel: part of an llm_request',
    shownBy('src/agents/gemini/encode-model.test.ts', 'a changed setting includes the others'),
  ],
  [
    'answer: decision, reason',
    answered('gemini', shell, { decision: 'deny', reason: 'r' }, { body: { decision: 'deny', reason: 'r' } }),
  ],
  [
    'answer: systemMessage',
    answered('gemini', shell, { decision: 'none', systemMessage: 'm' }, { body: { systemMessage: 'm' } }),
  ],
  [
    'answer: additionalContext',
    answered(
      'gemini',
      { hook_event_name: 'BeforeAgent', prompt: 'x' },
      { decision: 'none', context: 'c' },
      {
        body: { hookSpecificOutput: { additionalContext: 'c' } },
      },
    ),
  ],
  ['exit code 0 and 2', shownBy(DISPATCHERS, 'maps a refusal of %s to exit code 2')],
  ['exit code of a blocked prompt', shownBy(DISPATCHERS, 'blocks a prompt')],
  [
    'dispatcher: POST to the address of the agent',
    shownBy(
      'src/agents/gemini/encode.test.ts',
      'a dispatcher script that exits with 2 unless the decision is allow does so only for denials',
    ),
  ],
  [
    'dispatcher: context, a rewrite, silence',
    shownBy(DISPATCHERS, 'gets context, a rewrite, and an answer that is never empty'),
  ],
  [
    'trigger_action where there is a way',
    shownBy(
      'src/agents/gemini/encode.test.ts',
      'the context is cleared where the turn ends or its end is denied',
    ),
  ],
  [
    'trigger_action where there is none',
    shownBy('src/agents/gemini/encode.test.ts', "records what %s can't do: %j"),
  ],
];
