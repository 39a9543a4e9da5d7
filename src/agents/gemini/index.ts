import { type Agent, type BlindSpot, emulated, impossible, type Supports } from '../agent.ts';
import { askAsRefusal, contextInRefusal, nativeBut, supportRows, UNREAD } from '../kit/support-rows.ts';
import { withWrapper } from '../setup/wrapper.ts';
import { payloads, toolPayload, withInput } from './decode.ts';
import { dialect, imports } from './dialect.ts';
import { dispatcher } from './dispatcher.ts';
import { encode, refusals } from './encode.ts';
import { history } from './history.ts';
import { inspect } from './inspect.ts';
import { lint } from './lint.ts';
import { permissions, settings, setup } from './setup.ts';
import { wrapper } from './wrapper.ts';

// All notes: seen or read in Gemini CLI of this version.
const VERSION = '0.61.0';
const ASK_AS_REFUSAL = askAsRefusal(VERSION);
const MESSAGE = nativeBut('0.61.0: shown to the user (headless: on stderr), never to the model.');
const CONTEXT = nativeBut('0.61.0: wrapped in <hook_context>; angle brackets in it are escaped.');
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const HALT = nativeBut('0.61.0: ends the turn; a headless run still exits with 0.');

const row = supportRows(VERSION, {
  systemMessage: MESSAGE,
  grants: impossible('0.61.0 remembers no permission for a hook; write its policy files (--policy) instead.'),
  env: impossible("0.61.0 doesn't let hooks set variables for later commands."),
  llmRequest: impossible('0.61.0 takes a changed request only before it goes to the model.'),
  llmResponse: impossible('0.61.0 takes an answer of the model only on the two model events.'),
  toolConfig: impossible('0.61.0 takes a choice of tools only on the event that is about it.'),
});

/** What Gemini CLI 0.61.0 can do with each effect on each event. */
const supports: Supports = {
  session_start: row({
    context: nativeBut(
      '0.61.0: headless it is put before the prompt, so that a /command in it is not recognised; after /clear it is dropped, and sent with the next prompt.',
    ),
  }),
  before_agent: row({
    deny: nativeBut('0.61.0: the prompt is dropped; the reason is shown to the user, not to the model.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    halt: nativeBut('0.61.0: no model call, but the prompt stays in the history.'),
  }),
  before_model: row({
    deny: nativeBut('0.61.0: the turn ends without the request; the reason is shown to the user.'),
    ask: ASK_AS_REFUSAL,
    halt: HALT,
    llmRequest: nativeBut(
      '0.61.0: model, messages (text, by position) and four settings; settings that are not repeated are lost, so all are sent.',
    ),
    llmResponse: nativeBut(
      '0.61.0 reads it only together with deny, which is sent along; it is shown, but not added to the history.',
    ),
  }),
  before_tool_selection: row({
    systemMessage: emulated(
      '0.61.0 takes any answer here for a choice of tools, so a message is sent only together with one.',
    ),
    toolConfig: nativeBut('0.61.0: a list of what may be called, never of what may not.'),
  }),
  after_model: row({
    deny: emulated('0.61.0 ends the stream, but shows the chunk and runs the tool calls in it.'),
    ask: emulated('0.61.0: asking isn’t possible here; sent as a denial, which comes too late.'),
    halt: nativeBut('0.61.0: the chunk is not shown and the turn ends.'),
    llmResponse: emulated(
      '0.61.0 changes what is shown; the history and the next request keep the original, and a function call in the chunk is dropped.',
    ),
  }),
  before_tool: row({
    deny: nativeBut('0.61.0: not asked for unknown tools, @file, !shell, and nothing in --acp sessions.'),
    ask: emulated(
      '0.61.0 silently ends the process in an unattended run, and hooks cannot detect one: sent as a denial unless HOOKLINE_ATTENDED=1 is in its environment.',
    ),
    allow: impossible('0.61.0: a hook cannot skip the permission dialog; its policy files can.'),
    rewrite: nativeBut('0.61.0 replaces the whole input, so the merged one is sent.'),
    context: CONTEXT_IN_REFUSAL,
    halt: nativeBut('0.61.0: the tool does not run and the turn ends.'),
  }),
  after_tool: row({
    deny: emulated('0.61.0: the call has run; the model gets the reason as an error instead of the result.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    halt: HALT,
    replaceOutput: emulated('0.61.0: the new output reaches the model as an error that replaces the result.'),
  }),
  after_agent: row({
    deny: nativeBut(
      '0.61.0: the reason becomes the next prompt; nothing but a limit of 100 turns ends that, so look at stopHookActive.',
    ),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT_IN_REFUSAL,
    halt: nativeBut('0.61.0: ends the turn even if something else denies its end.'),
  }),
  pre_compact: row({
    deny: impossible('0.61.0 fires this before every request, compaction or not, and accepts no denial.'),
  }),
  notification: row({
    deny: impossible('0.61.0 opens its dialog anyway; deny the tool itself before it.'),
  }),
  session_end: row(),
  unknown: UNREAD,
};

/** What Gemini CLI does without asking hooks. */
const blindSpots: readonly BlindSpot[] = [
  {
    tools: null,
    all: false,
    note: '0.61.0: in --acp sessions (editors) no tool call fires a hook.',
  },
  {
    tools: ['Read'],
    all: false,
    note: '0.61.0: a file that a prompt names with @ is read without a hook.',
  },
  {
    tools: ['Bash'],
    all: false,
    note: '0.61.0: a command that the user types after ! runs without a hook.',
  },
];

/** Arguments of 0.61.0, and of versions before it. */
const readingTools: NonNullable<Agent['readingTools']> = {
  Read: {
    at: 'contents',
    below: false,
    path: ['file_path', 'absolute_path'],
    pattern: [],
    others: ['offset', 'limit', 'start_line', 'end_line'],
  },
  Grep: {
    at: 'contents',
    below: true,
    path: ['dir_path', 'path'],
    pattern: ['include_pattern', 'include'],
    others: [
      ...['pattern', 'case_sensitive', 'fixed_strings', 'context', 'after', 'before', 'names_only'],
      ...['exclude_pattern', 'max_matches_per_file', 'total_max_matches'],
    ],
  },
  Glob: {
    at: 'names',
    below: false,
    path: ['dir_path', 'path'],
    pattern: ['pattern'],
    others: ['case_sensitive', 'respect_git_ignore', 'respect_gemini_ignore'],
  },
  Ls: {
    at: 'names',
    below: false,
    path: ['dir_path', 'path'],
    pattern: ['ignore'],
    others: ['file_filtering_options'],
  },
};

const gemini: Agent = {
  id: 'gemini',
  label: 'Gemini CLI',
  testedVersion: VERSION,
  envAllowList: ['GEMINI_PROJECT_DIR', 'GEMINI_PLANS_DIR', 'HOOKLINE_ATTENDED'],
  settingsFiles: [
    '**/.gemini/settings.json',
    '**/.gemini/extensions/**',
    '**/.gemini/trustedFolders.json',
    '/etc/gemini-cli/**',
  ],
  instructions: ['**/GEMINI.md', '**/.gemini/{commands,skills,agents}/**'],
  // `--help` of 0.61.0.
  escapes: {
    programs: ['gemini'],
    unhooked: [
      "gemini extensions disable '*hookline*'",
      "gemini extensions uninstall '*hookline*'",
      "gemini extension disable '*hookline*'",
      "gemini extension uninstall '*hookline*'",
    ],
    // Those that are named are the only ones that are loaded, and our hooks may be in one that is not.
    otherSettings: ['gemini --extensions', 'gemini -e'],
    unasked: ['gemini --yolo', 'gemini -y', 'gemini --approval-mode=yolo'],
    variables: ['GEMINI_CLI_HOME', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH'],
  },
  scratch: ['~/.gemini/tmp/**'],
  shellRemarks: ['description', 'delay_ms'],
  readingTools,
  processes: {
    programs: ['gemini'],
    packages: ['@google/gemini-cli'],
    variables: ['GEMINI_CLI'],
  },
  supports,
  blindSpots,
  decode: payloads.decode,
  encode: (event, response, env) => encode(gemini, event, response, env),
  refusals,
  dispatcher,
  withInput,
  toolPayload,
  timeoutMs: settings.timeoutMs,
  history,
  setup: withWrapper({ ...setup, inspect }, wrapper),
  dialect,
  permissions,
  imports,
  lint,
};

export default gemini;
