import { type Element, fixture } from './element.ts';

const EXTRACT = 'src/history/extract.test.ts';
const SAME = 'the same session tells the same on every agent';
const STORED = 'src/store/recorder.test.ts';
const TRANSCRIPTS = 'src/history/transcripts.test.ts';
const CLAUDE = 'src/agents/claude/decode.test.ts';
const PARTS = 'what the agent said is linked to its turn and to the calls it made then, all texts of it';

/** What can be told of a session from its hook events alone. */
export const OBSERVATIONS: readonly Element[] = [
  ['event PostToolUse', ...fixture('claude', 'PostToolUse/bash')],
  ['event PostToolUseFailure', ...fixture('claude', 'PostToolUseFailure')],
  ['event PreToolUse', ...fixture('claude', 'PreToolUse/bash')],
  ['event Stop', ...fixture('claude', 'Stop')],
  ['event SubagentStop', ...fixture('claude', 'SubagentStop')],
  ['event SessionStart', ...fixture('claude', 'SessionStart')],
  ['event SessionEnd', ...fixture('claude', 'SessionEnd')],
  ['event UserPromptSubmit', ...fixture('claude', 'UserPromptSubmit')],
  ['event TaskCompleted', ...fixture('claude', 'TaskCompleted')],
  ['event PreCompact', ...fixture('claude', 'PreCompact')],
  ['event Notification', ...fixture('claude', 'Notification')],
  ['event PermissionRequest', ...fixture('claude', 'PermissionRequest')],
  ['event SubagentStart', ...fixture('claude', 'SubagentStart')],
  [
    'event TeammateIdle, common fields only',
    EXTRACT,
    'a teammate that goes idle is told, with its team where there is one',
  ],
  [
    'session_id, transcript_path, cwd, permission_mode, hook_event_name',
    ...fixture('claude', 'PreToolUse/bash'),
  ],
  ['tool_input of Bash: command, description, timeout', ...fixture('claude', 'PostToolUse/bash')],
  ['tool_input of Read', ...fixture('claude', 'PostToolUse/read')],
  ['tool_input of Write', ...fixture('claude', 'PostToolUse/write')],
  ['tool_input of Edit', ...fixture('claude', 'PostToolUse/edit')],
  ['tool_input of Grep and Glob', EXTRACT, 'results of a search are counted in a text'],
  ['tool_input of Task', ...fixture('claude', 'PostToolUse/agent')],
  ['tool_input of MCP tools', ...fixture('claude', 'PostToolUse/mcp')],
  ['tool_response as a text: Bash', EXTRACT, 'a text that states an exit code tells how the command went'],
  [
    'tool_response as a text: Write',
    EXTRACT,
    'a file that was created is told from one that was written anew by a text as well',
  ],
  ['tool_response as a text: Grep, Glob', EXTRACT, 'results of a search are counted in a text'],
  [
    'tool_response of a failure is its error',
    CLAUDE,
    'has the error of a failed call where its output would be',
  ],
  [
    'stop_hook_active prevents loops',
    'src/hooks/handler.test.ts',
    'is refused three times in a turn at most, by all hooks together',
  ],
  ['the last assistant message is read from the transcript', TRANSCRIPTS, PARTS],
  ['all text blocks of it', TRANSCRIPTS, PARTS],
  [
    'decision block with a reason',
    'src/agents/claude/encode.test.ts',
    '3: on Stop, block keeps the agent working, continue:false lets it stop and wins',
  ],
  [
    'source startup, resume, clear, compact',
    'src/history/history.test.ts',
    'memory speaks when a session begins and after a compaction, once each',
  ],
  [
    'additionalContext at the start of a session',
    'src/history/history.test.ts',
    'memory speaks when a session begins and after a compaction, once each',
  ],
  [
    'plain text on stdout is context',
    'src/agents/kit/dialect.test.ts',
    'reads whatever a hook does, and never makes a permission of it that nobody gave',
  ],
  [
    'variables for the session',
    'src/hooks/command.test.ts',
    'variables that a script leaves for the session',
  ],
  ['a prompt that is a slash command', EXTRACT, 'a slash command is told by its name'],
  [
    '<private> in a prompt',
    'src/redact/secrets.test.ts',
    'what is marked as private goes no further than its own text',
  ],
  ['files_read, files_modified, change_type, old_string, new_string', EXTRACT, SAME],
  ['command, description', EXTRACT, SAME],
  ['is_test', 'src/shell/purpose.test.ts', 'the exit code of %j is that of the tests'],
  ['is_build', EXTRACT, 'a command is told by what it is for'],
  ['exit_status', EXTRACT, 'a text that states an exit code tells how the command went'],
  ['exit_status behind a pipe is unknown', EXTRACT, '%j that printed %j did not pass: nobody knows'],
  ['failing tests in the output', EXTRACT, '%j that printed %j failed'],
  ['search_pattern, search_scope, result_count', EXTRACT, 'results of a search are counted in a text'],
  ['mcp_server, mcp_tool, mcp_input', CLAUDE, '%s of server %s'],
  ['user_intent: the first 200 characters', EXTRACT, 'a long text is cut, and known by its hash'],
  ['is_command, command_name', EXTRACT, 'a slash command is told by its name'],
  ['is_fresh, is_compaction', EXTRACT, SAME],
  ['is_continuation', EXTRACT, SAME],
  [
    'Write content is cut and hashed',
    'src/history/history.test.ts',
    'a huge file that was written is cut in the row too, and its observation has the hash of the whole',
  ],
  ['no sequence number: counted', STORED, 'sequence, prompt and tool numbers are counted per session'],
  ['no prompt number: counted', STORED, 'sequence, prompt and tool numbers are counted per session'],
  [
    'no tool number, also without a first half: counted',
    STORED,
    'a call whose beginning was never reported has a number of its own, %s',
  ],
  ['no parent context: the message is linked to its calls', TRANSCRIPTS, PARTS],
  [
    'no token counts: read from the transcript',
    TRANSCRIPTS,
    'blocks of one message count once, and a call that no hook reported is a gap',
  ],
];
