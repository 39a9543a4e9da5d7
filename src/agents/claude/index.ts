import { type Agent, type BlindSpot, emulated, impossible, native, type Supports } from '../agent.ts';
import {
  askAsRefusal,
  contextInRefusal,
  messageLost,
  nativeBut,
  type Row,
  supportRows,
  UNREAD,
} from '../kit/support-rows.ts';
import { withWrapper } from '../setup/wrapper.ts';
import { payloads } from './decode.ts';
import { dialect } from './dialect.ts';
import { dispatcher } from './dispatcher.ts';
import { encode, refusals } from './encode.ts';
import { history } from './history.ts';
import { imports, permissions } from './imports.ts';
import { inspect } from './inspect.ts';
import { lint } from './lint.ts';
import { settings, setup } from './setup.ts';
import { questions, readingTools, toolPayload, withInput } from './tools.ts';
import { wrapper } from './wrapper.ts';

// All notes: seen or read in Claude Code of this version.
const VERSION = '2.1.325';
const ASK_AS_REFUSAL = askAsRefusal(VERSION);
const CONTEXT = nativeBut(
  '2.1.325: a text over 10,000 characters is saved to a file, and the model gets a 2 KB preview and the path.',
);
const MESSAGE = nativeBut('2.1.325: shown to the user, never to the model.');
const MESSAGE_BY_SCHEMA = nativeBut('2.1.325: a field of every answer, not measured on this event.');
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const ENV = nativeBut('2.1.325: bash reads the variables before each later command; PowerShell does not.');
const NO_MODEL_HOOKS = impossible('2.1.325 lets no hook see or change model requests.');

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('2.1.325 takes permissions to remember only in answer to its permission dialog.'),
  env: impossible(
    '2.1.325 provides a file for variables (CLAUDE_ENV_FILE) only at session start, at setup, and when a directory or file changes.',
  ),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

const STOP: Row = row({
  deny: nativeBut('2.1.325 lets the turn end after 8 denials in a row.'),
  ask: ASK_AS_REFUSAL,
  context: emulated(
    '2.1.325: context alone would keep the agent working; it is sent in the reason of a denial, otherwise with a later event.',
  ),
  systemMessage: MESSAGE,
  halt: nativeBut('2.1.325: ends the turn even if something else denies its end.'),
});

const TASK: Row = row({ deny: native, ask: ASK_AS_REFUSAL, context: CONTEXT_IN_REFUSAL });

/** What Claude Code 2.1.325 can do with each effect on each event. */
const supports: Supports = {
  setup: row({ context: CONTEXT, systemMessage: MESSAGE_BY_SCHEMA, env: ENV }),
  session_start: row({ context: CONTEXT, systemMessage: MESSAGE, env: ENV }),
  before_agent: row({
    deny: nativeBut('2.1.325: the prompt is not sent; the reason is shown to the user, not to the model.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: native,
  }),
  user_prompt_expansion: row({
    deny: nativeBut('2.1.325: the command is not expanded; the reason is shown to the user.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    systemMessage: MESSAGE_BY_SCHEMA,
    halt: emulated('2.1.325: the command is denied, so no turn begins.'),
  }),
  before_tool: row({
    deny: native,
    ask: nativeBut('2.1.325: without a terminal or a host (-p), ask denies.'),
    allow: nativeBut(
      '2.1.325: skips the prompt, not the deny and ask rules of the client. A question or a plan is answered by it: put the answers into the arguments.',
    ),
    rewrite: nativeBut(
      '2.1.325 replaces the whole input, so the merged one is sent; a question or a plan takes it only together with allow.',
    ),
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: emulated('2.1.325 runs the tool and then ends the turn; together with deny the tool does not run.'),
  }),
  permission_request: row({
    deny: native,
    ask: emulated(
      '2.1.325: without an answer the user decides in the dialog; without a terminal (-p) the call is denied.',
    ),
    allow: nativeBut(
      '2.1.325: in auto mode some tools cannot be approved by a hook. A question or a plan is answered by it.',
    ),
    rewrite: nativeBut('2.1.325: only together with allow.'),
    context: CONTEXT_IN_REFUSAL,
    halt: nativeBut('2.1.325: only together with deny, which then also interrupts the turn.'),
    grants: nativeBut('2.1.325: only together with allow; project grants go to .claude/settings.local.json.'),
  }),
  permission_denied: row({
    deny: emulated('2.1.325: already denied; without an answer it stays denied.'),
    allow: emulated('2.1.325: it stays denied; the model sees that it may try again.'),
  }),
  after_tool: row({
    deny: emulated('2.1.325: the call has run; the model gets the reason as an error.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: nativeBut('2.1.325: ignored after a call that failed.'),
    replaceOutput: nativeBut(
      '2.1.325: only after success and in the format of the tool; a text works for Bash, Read, WebFetch and MCP tools.',
    ),
  }),
  post_tool_batch: row({
    deny: emulated('2.1.325: the calls have run; a denial ends the turn, and only the user sees the reason.'),
    ask: emulated(
      '2.1.325: asking isn’t possible here; a denial ends the turn, and only the user sees the reason.',
    ),
    context: CONTEXT,
    systemMessage: MESSAGE_BY_SCHEMA,
    halt: native,
  }),
  stop: STOP,
  stop_failure: row(),
  subagent_start: row({ context: CONTEXT, systemMessage: MESSAGE_BY_SCHEMA }),
  subagent_stop: STOP,
  task_created: TASK,
  task_completed: TASK,
  teammate_idle: row({
    deny: nativeBut('2.1.325: exit code 2 is the one form that is documented; not measured.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT_IN_REFUSAL,
    halt: nativeBut('2.1.325: documented, not measured.'),
  }),
  pre_compact: row({
    deny: native,
    ask: ASK_AS_REFUSAL,
    context: impossible('2.1.325 adds only plain text to the instructions, and answers are JSON.'),
  }),
  post_compact: row(),
  pre_model_switch: row({
    deny: native,
    ask: nativeBut('2.1.325: without a terminal, ask denies.'),
    allow: native,
  }),
  post_model_switch: row({ context: CONTEXT }),
  notification: row({
    context: impossible('2.1.325 accepts context on a notification and throws it away.'),
  }),
  elicitation: row({
    deny: nativeBut('2.1.325: the request is declined; the server gets no reason.'),
    ask: emulated('2.1.325: without an answer the user decides in the dialog.'),
    allow: nativeBut(
      '2.1.325: accepted with the changed arguments as content; a form without content is left to the user.',
    ),
    rewrite: nativeBut('2.1.325: becomes the content, only together with allow.'),
  }),
  elicitation_result: row({
    deny: nativeBut("2.1.325: the user's answer becomes a denial."),
    ask: emulated('2.1.325: the user was already asked; sent as a denial.'),
    rewrite: nativeBut('2.1.325: changes the content of what the user accepted.'),
  }),
  config_change: row({ deny: nativeBut('2.1.325: not for managed settings.'), ask: ASK_AS_REFUSAL }),
  instructions_loaded: row(),
  cwd_changed: row({ systemMessage: native, env: ENV }),
  file_changed: row({ env: ENV }),
  directory_added: row({
    systemMessage: nativeBut('2.1.325: after /add-dir the model sees it too.'),
  }),
  worktree_create: row({
    deny: nativeBut(
      "2.1.325: the creation fails if this hook fails or doesn't answer. Don't register it only to observe.",
    ),
    ask: ASK_AS_REFUSAL,
    allow: impossible(
      '2.1.325: a hook on this event must create the worktree; without an answer the creation fails.',
    ),
  }),
  worktree_remove: row(),
  message_display: row({
    replaceOutput: nativeBut('2.1.325: only a text, only on the screen; with -p it changes the result too.'),
  }),
  session_end: row(),
  unknown: UNREAD,
};

/** What Claude Code does without asking hooks. */
const blindSpots: readonly BlindSpot[] = [
  {
    tools: ['Read'],
    all: false,
    note: 'Reported by users, not measured: a file that a prompt names with @ is read without a hook.',
  },
];

const claude: Agent = {
  id: 'claude',
  label: 'Claude Code',
  testedVersion: VERSION,
  // Not CLAUDE_CODE_MESSAGING_TOKEN and its socket: secrets.
  envAllowList: [
    'CLAUDE_ENV_FILE',
    'CLAUDE_PROJECT_DIR',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SESSION_ATTENDED',
    'AI_AGENT',
  ],
  settingsFiles: [
    '**/.claude/settings.json',
    '**/.claude/settings.local.json',
    // Our hooks may be in a plugin.
    '**/.claude/plugins/**',
    '/etc/claude-code/**',
  ],
  instructions: [
    // Servers of tools, trusted folders and allowed tools of all projects.
    '~/.claude.json',
    '**/CLAUDE.md',
    '**/CLAUDE.local.md',
    '**/.claude/{skills,commands,agents,rules,output-styles}/**',
  ],
  // `--help` of 2.1.325; SIMPLE and SAFE_MODE are what `--bare` and `--safe-mode` set.
  escapes: {
    programs: ['claude'],
    unhooked: [
      'claude --bare',
      'claude --safe-mode',
      'claude --restricted',
      "claude --settings='*disableAllHooks*'",
      ...['plugin', 'plugins'].flatMap((plugin) => [
        ...['uninstall', 'remove', 'rm', 'disable'].map((verb) => `claude ${plugin} ${verb} '*hookline*'`),
        `claude ${plugin} disable --all`,
        `claude ${plugin} disable -a`,
        `claude ${plugin} marketplace remove '*hookline*'`,
        `claude ${plugin} marketplace rm '*hookline*'`,
      ]),
    ],
    otherSettings: ['claude --settings', 'claude --setting-sources', 'claude --managed-settings'],
    unasked: ['claude --dangerously-skip-permissions', 'claude --permission-mode=bypassPermissions'],
    variables: [
      'CLAUDE_CONFIG_DIR',
      'CLAUDE_CODE_MANAGED_SETTINGS_PATH',
      'CLAUDE_CODE_SIMPLE',
      'CLAUDE_CODE_SAFE_MODE',
    ],
  },
  scratch: ['~/.claude/plans/**'],
  shellRemarks: ['description', 'timeout'],
  readingTools,
  processes: {
    programs: ['claude'],
    packages: ['@anthropic-ai/claude-code'],
    variables: ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION'],
  },
  supports,
  blindSpots,
  decode: payloads.decode,
  encode: (event, response, env) => encode(claude, event, response, env),
  refusals,
  // Over HTTP there is no exit code 2 to refuse with.
  httpRefusal: (reason) => ({ decision: 'block', reason }),
  dispatcher,
  withInput,
  toolPayload,
  timeoutMs: settings.timeoutMs,
  questions,
  history,
  setup: withWrapper({ ...setup, inspect }, wrapper),
  dialect,
  permissions,
  imports,
  lint,
};

export default claude;
