import { call, event, seen } from './claude.ts';
import { answered, type Element, heard, observed, received, shownBy } from './element.ts';

const EXTRACT = 'src/history/observations/extract.test.ts';
const STORED = 'src/store/record/recorder.test.ts';
const TRANSCRIPTS = 'src/history/observations/transcripts.test.ts';
const HISTORY = 'src/history/history.test.ts';
const PARTS = 'links all texts of the agent to their turn and the calls made then';

const excerpt = (text: string) => ({ text, length: text.length, hash: null });
const start = (source: string) => ({ hook_event_name: 'SessionStart', source });

const TURNS: readonly Element[] = [
  ['stop_hook_active', event('Stop', { stop_hook_active: true }, { stopHookActive: true })],
  [
    'SubagentStop: stop_hook_active',
    event('SubagentStop', { stop_hook_active: true }, { stopHookActive: true }),
  ],
  [
    'stop_hook_active prevents loops',
    shownBy('src/hooks/handler.test.ts', 'is denied at most three times per turn, by all hooks together'),
  ],
  ['the last assistant message is read from the transcript', shownBy(TRANSCRIPTS, PARTS)],
  [
    'decision block with a reason',
    answered(
      'claude',
      { hook_event_name: 'Stop' },
      { decision: 'deny', reason: 'Tests not run' },
      { body: { decision: 'block', reason: 'Tests not run' } },
    ),
  ],
  ...['startup', 'resume', 'clear', 'compact'].map(
    (source): Element => [`source ${source}`, received('claude', start(source), { trigger: source })],
  ),
  [
    'SessionStart: model',
    received('claude', { ...start('startup'), model: 'claude-opus-4-6' }, { model: 'claude-opus-4-6' }),
  ],
  [
    'source is what matchers match',
    shownBy('src/cli/hooks/lint-files.test.ts', 'what no session starts or ends with'),
  ],
  [
    'additionalContext at the start of a session',
    answered(
      'claude',
      start('startup'),
      { decision: 'none', context: 'Recent' },
      { body: { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'Recent' } } },
    ),
  ],
  [
    'memory at the start and after a compaction',
    shownBy(
      'src/history/memory/pack.test.ts',
      'memory speaks when a session begins and after a compaction, once each',
    ),
  ],
  [
    'plain text on stdout is context',
    heard('claude', start('startup'), { stdout: 'Recent' }, { context: 'Recent' }),
  ],
  ['CLAUDE_ENV_FILE', shownBy('src/hooks/command.test.ts', 'variables that a script leaves for the session')],
  ['prompt', event('UserPromptSubmit', { prompt: 'Fix it' }, { prompt: 'Fix it' })],
  [
    'a prompt that is a slash command',
    observed(
      'claude',
      { hook_event_name: 'UserPromptSubmit', prompt: '/review all' },
      { kind: 'intent', command: 'review' },
    ),
  ],
  [
    '<private> in a prompt',
    shownBy('src/redact/secrets.test.ts', 'what is marked as private goes no further than its own text'),
  ],
  [
    'exit code 2 blocks a prompt',
    heard(
      'claude',
      { hook_event_name: 'UserPromptSubmit', prompt: 'x' },
      { exit: 2, stderr: 'no' },
      { decision: 'deny', reason: 'no' },
    ),
  ],
  [
    'PreToolUse: permissionDecision, permissionDecisionReason',
    heard(
      'claude',
      { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
      {
        stdout: {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'deny',
            permissionDecisionReason: 'Blocked',
          },
        },
      },
      { decision: 'deny', reason: 'Blocked' },
    ),
  ],
  [
    'TaskCompleted: task_id, task_subject, task_description',
    event(
      'TaskCompleted',
      { task_id: '1', task_subject: 'S', task_description: 'D' },
      { taskId: '1', subject: 'S', description: 'D' },
    ),
  ],
  ...['manual', 'auto'].map(
    (trigger): Element => [`PreCompact ${trigger}`, event('PreCompact', { trigger }, { trigger })],
  ),
  ['SessionEnd: the reason', event('SessionEnd', { reason: 'logout' }, { reason: 'logout' })],
];

const OBSERVED: readonly Element[] = [
  [
    'files_read',
    seen('Read', { file_path: '/p/a' }, '1\tx', { kind: 'file', op: 'read', change: 'none', path: 'a' }),
  ],
  [
    'files_modified',
    seen('Edit', { file_path: '/p/a', old_string: 'x', new_string: 'y' }, '', {
      kind: 'file',
      op: 'edit',
      path: 'a',
    }),
  ],
  [
    'change_type create',
    shownBy(
      EXTRACT,
      'a file that was created is distinguished from one that was overwritten by a text as well',
    ),
  ],
  [
    'change_type modify',
    seen('Edit', { file_path: '/p/a', old_string: 'x', new_string: 'y' }, '', { change: 'modify' }),
  ],
  [
    'old_string',
    seen('Edit', { file_path: '/p/a', old_string: 'x', new_string: 'y' }, '', { before: excerpt('x') }),
  ],
  [
    'new_string',
    seen('Edit', { file_path: '/p/a', old_string: 'x', new_string: 'y' }, '', { after: excerpt('y') }),
  ],
  ['command', seen('Bash', { command: 'ls' }, '', { kind: 'command', command: excerpt('ls') })],
  ['description', seen('Bash', { command: 'ls', description: 'List' }, '', { description: 'List' })],
  ...['pytest -q', 'cargo test', 'npm test'].map(
    (command): Element => [`is_test: ${command}`, seen('Bash', { command }, '', { purpose: 'test' })],
  ),
  ...['cargo build', 'npm run build'].map(
    (command): Element => [`is_build: ${command}`, seen('Bash', { command }, '', { purpose: 'build' })],
  ),
  ['exit_status', seen('Bash', { command: 'x' }, 'Exit code: 3', { exitCode: 3 })],
  [
    'exit_status behind a pipe is unknown',
    seen('Bash', { command: 'cargo test 2>&1 | tail' }, 'ok', { outcome: 'unknown', exitCode: null }),
  ],
  ['failing tests in the output', shownBy(EXTRACT, '%j that printed %j failed')],
  ['search_pattern', seen('Grep', { pattern: 'fn x' }, '', { pattern: 'fn x' })],
  ['search_scope', seen('Grep', { pattern: 'x', path: '/p/src' }, 'a', { scope: '/p/src' })],
  ['result_count', seen('Grep', { pattern: 'x' }, 'a\nb', { results: 2 })],
  ['mcp_server', seen('mcp__db__query', {}, '', { kind: 'mcp', server: 'db' })],
  ['mcp_tool', seen('mcp__db__query', {}, '', { kind: 'mcp', tool: 'query' })],
  ['mcp_input', seen('mcp__db__query', { a: 1 }, '', { input: excerpt('{"a":1}') })],
  ['user_intent: the beginning, for indexing', shownBy(EXTRACT, 'a long text is cut, and known by its hash')],
  [
    'is_command',
    observed(
      'claude',
      { hook_event_name: 'UserPromptSubmit', prompt: 'do it' },
      { kind: 'intent', command: null },
    ),
  ],
  [
    'command_name',
    observed('claude', { hook_event_name: 'UserPromptSubmit', prompt: '/deploy now' }, { command: 'deploy' }),
  ],
  ['is_fresh', observed('claude', start('startup'), { fresh: true, compaction: false })],
  ['is_compaction', observed('claude', start('compact'), { fresh: false, compaction: true })],
  [
    'is_continuation',
    observed(
      'claude',
      { hook_event_name: 'Stop', stop_hook_active: true },
      { kind: 'turn_end', continuation: true },
    ),
  ],
  ['transcript, for a summary after the fact', shownBy(TRANSCRIPTS, PARTS)],
  [
    'no diff of an Edit: both texts are kept',
    shownBy(EXTRACT, 'the same session tells the same on every agent'),
  ],
  [
    'large Write content is cut and hashed',
    shownBy(
      HISTORY,
      'a huge file that was written is cut in the row too, and its observation has the hash of the whole',
    ),
  ],
  [
    'no timing: where there is one it is kept',
    received('claude', { ...call('Bash', {}), duration_ms: 12 }, { tool: { durationMs: 12 } }),
  ],
  [
    'no token counts: read from the transcript',
    shownBy(TRANSCRIPTS, 'blocks of one message count once, and a call that no hook reported is a gap'),
  ],
  ['no sequence number: counted', shownBy(STORED, 'counts sequence, prompt and tool numbers per session')],
  [
    'no tool number, also without a first half: counted',
    shownBy(STORED, 'a call whose start was never reported gets its own number, %s'),
  ],
  ['no parent context: the message is linked to its calls', shownBy(TRANSCRIPTS, PARTS)],
  ['no prompt number: counted', shownBy(STORED, 'counts sequence, prompt and tool numbers per session')],
];

/** What can be told of a session from its hook events alone. */
export const OBSERVATIONS: readonly Element[] = [...TURNS, ...OBSERVED];
