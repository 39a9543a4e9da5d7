import { call, event, seen } from './claude.ts';
import { type Element, type Json, received, shownBy } from './element.ts';

const EXTRACT = 'src/history/observations/extract.test.ts';

const input = (name: string, given: Json): Element => [
  `tool_input of ${name}: ${Object.keys(given).join(', ')}`,
  received('claude', call(name, given), { tool: { name, input: given } }),
];

const EVENTS: readonly Element[] = [
  ['event PostToolUse', event('PostToolUse', call('Bash', {}), { type: 'after_tool' })],
  [
    'event PostToolUseFailure',
    event(
      'PostToolUseFailure',
      { ...call('Bash', {}), hook_event_name: 'PostToolUseFailure' },
      { type: 'after_tool' },
    ),
  ],
  ['event PreToolUse', event('PreToolUse', { tool_name: 'Bash', tool_input: {} }, { type: 'before_tool' })],
  ['event Stop', event('Stop', {}, { type: 'stop' })],
  ['event SubagentStop', event('SubagentStop', {}, { type: 'subagent_stop' })],
  ['event SessionStart', event('SessionStart', {}, { type: 'session_start' })],
  ['event SessionEnd', event('SessionEnd', {}, { type: 'session_end' })],
  ['event UserPromptSubmit', event('UserPromptSubmit', { prompt: 'x' }, { type: 'before_agent' })],
  ['event TaskCompleted', event('TaskCompleted', { task_id: '1' }, { type: 'task_completed' })],
  ['event PreCompact', event('PreCompact', {}, { type: 'pre_compact' })],
  ['event Notification', event('Notification', {}, { type: 'notification' })],
  [
    'event PermissionRequest',
    event('PermissionRequest', { tool_name: 'Bash', tool_input: {} }, { type: 'permission_request' }),
  ],
  ['event SubagentStart', event('SubagentStart', {}, { type: 'subagent_start' })],
  [
    'event TeammateIdle, common fields only',
    event('TeammateIdle', {}, { type: 'teammate_idle', teammate: 'unknown' }),
  ],
  [
    'TeammateIdle is listed',
    shownBy(EXTRACT, 'a teammate that goes idle is listed, with its team where there is one'),
  ],
  ['session_id', event('Stop', {}, { sessionId: 's1' })],
  ['transcript_path', event('Stop', {}, { transcriptPath: '/t.jsonl' })],
  ['cwd', event('Stop', {}, { cwd: '/p' })],
  ...['default', 'plan', 'bypassPermissions'].map(
    (permission_mode): Element => [
      `permission_mode ${permission_mode}`,
      event('Stop', { permission_mode }, { permissionMode: permission_mode }),
    ],
  ),
  ['hook_event_name', event('Stop', {}, { nativeEvent: 'Stop' })],
  ['tool_use_id', event('PostToolUse', call('Bash', {}), { tool: { useId: 'u1' } })],
];

const CALLS: readonly Element[] = [
  input('Bash', { command: 'cargo test --lib', description: 'Run unit tests', timeout: 120_000 }),
  input('Read', { file_path: '/p/main.rs', offset: 0, limit: 200 }),
  input('Write', { file_path: '/p/config.rs', content: 'use serde;' }),
  input('Edit', { file_path: '/p/lib.rs', old_string: 'a', new_string: 'b', replace_all: false }),
  input('Grep', {
    pattern: 'fn x',
    path: '/p',
    glob: '*.rs',
    type: 'rust',
    output_mode: 'files_with_matches',
  }),
  input('Glob', { pattern: '**/*.toml', path: '/p' }),
  input('Task', { prompt: 'Look', subagent_type: 'Explore' }),
  input('mcp__db__query', { sql: 'select 1' }),
  [
    'tool_response is a text: Bash',
    received('claude', call('Bash', {}, 'out'), { tool: { response: 'out' } }),
  ],
  [
    'tool_response is a text: Read',
    received('claude', call('Read', { file_path: '/p/a' }, '1\tx'), { tool: { response: '1\tx' } }),
  ],
  [
    'tool_response is a text: Write',
    shownBy(
      EXTRACT,
      'a file that was created is distinguished from one that was overwritten by a text as well',
    ),
  ],
  [
    'tool_response is a text: Edit',
    seen('Edit', { file_path: '/p/a', old_string: 'x', new_string: 'y' }, 'The file was updated.', {
      kind: 'file',
      change: 'modify',
    }),
  ],
  [
    'tool_response is a text: Grep',
    seen('Grep', { pattern: 'x' }, 'a.ts\nb.ts', { kind: 'search', results: 2 }),
  ],
  [
    'tool_response is a text: Glob',
    seen('Glob', { pattern: '*' }, 'a\nb\nc', { kind: 'search', results: 3 }),
  ],
  [
    'tool_response of a failure is its error',
    received(
      'claude',
      { ...call('Bash', {}, 'no such file'), hook_event_name: 'PostToolUseFailure' },
      { tool: { error: 'no such file', outcome: 'failed' } },
    ),
  ],
];

/** The hook events that observers read. */
export const OBSERVED_EVENTS: readonly Element[] = [...EVENTS, ...CALLS];
