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
import { payloads, toolPayload, withInput } from './decode.ts';
import { dialect, imports } from './dialect.ts';
import { encode, refusals } from './encode.ts';
import { history } from './history.ts';
import { inspect } from './inspect.ts';
import { settings, setup, wrapper } from './setup.ts';

// All notes: seen or read in Qwen Code of this version.
const VERSION = '0.24.4';
const ASK_AS_REFUSAL = askAsRefusal(VERSION);
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const MESSAGE = nativeBut('0.24.4: shown to the user in its terminal, never to the model.');
const NO_MODEL_HOOKS = impossible('0.24.4 lets no hook see or change model requests.');

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('0.24.4 accepts no permission grants from a hook.'),
  env: impossible("0.24.4 doesn't let hooks set variables for later commands."),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

const STOP: Row = row({
  deny: nativeBut('0.24.4 lets the turn end after 8 denials in a row.'),
  ask: ASK_AS_REFUSAL,
  context: CONTEXT_IN_REFUSAL,
  systemMessage: MESSAGE,
});

const TODO: Row = row({
  deny: nativeBut('0.24.4: documented for the first of the two events of an item; not measured.'),
  ask: ASK_AS_REFUSAL,
  context: CONTEXT_IN_REFUSAL,
});

const BATCH_REFUSAL = '0.24.4: the calls have happened; the reason replaces the last result.';

/** What Qwen Code 0.24.4 can do with each effect on each event. */
const supports: Supports = {
  session_start: row({
    context: nativeBut('0.24.4: goes into the system instruction, hidden from the user.'),
    systemMessage: MESSAGE,
  }),
  before_agent: row({
    deny: nativeBut('0.24.4: the prompt is not sent; with -p the run ends with exit code 0 and no output.'),
    ask: ASK_AS_REFUSAL,
    context: native,
    systemMessage: MESSAGE,
    halt: emulated('0.24.4: the prompt is denied, so no turn begins.'),
  }),
  before_model: row({
    deny: nativeBut('0.24.4: fires after each round of tool calls; a denial ends the run at once.'),
    ask: emulated('0.24.4: asking isn’t possible here; a denial ends the run at once.'),
    systemMessage: MESSAGE,
    halt: emulated('0.24.4: the next model request is denied, which ends the run.'),
  }),
  user_prompt_expansion: row({
    deny: nativeBut('0.24.4: documented, not measured.'),
    ask: ASK_AS_REFUSAL,
    context: nativeBut('0.24.4: documented, not measured.'),
    systemMessage: MESSAGE,
  }),
  permission_request: row({
    deny: native,
    ask: emulated('0.24.4: without an answer the user decides in the dialog.'),
    allow: nativeBut('0.24.4: skips the dialog. With -p there is none: its approval mode decides alone.'),
    rewrite: nativeBut(
      '0.24.4 replaces the whole input, so the merged one is sent; only together with allow.',
    ),
    context: CONTEXT_IN_REFUSAL,
  }),
  before_tool: row({
    deny: nativeBut('0.24.4: not fired for unknown tools and for calls that its approval mode denies.'),
    ask: emulated('0.24.4 treats a question as a denial here; its own dialog comes before this event.'),
    allow: emulated('0.24.4: permission was given before this event; without an answer the call runs.'),
    rewrite: emulated(
      '0.24.4 accepts changed arguments only in its permission dialog; here the call is denied, and the model reads which arguments to use.',
    ),
    context: CONTEXT_IN_REFUSAL,
    systemMessage: MESSAGE,
  }),
  after_tool: row({
    deny: emulated('0.24.4: the call has run; the reason replaces the result, unless the call failed.'),
    ask: emulated(
      '0.24.4: asking isn’t possible here; the reason replaces the result, unless the call failed.',
    ),
    context: native,
    systemMessage: MESSAGE,
    replaceOutput: emulated('0.24.4: the new output replaces the result, unless the call failed.'),
  }),
  post_tool_batch: row({
    deny: emulated(BATCH_REFUSAL),
    ask: emulated(BATCH_REFUSAL),
    context: native,
    systemMessage: MESSAGE,
  }),
  stop: STOP,
  subagent_start: row({ context: impossible('0.24.4 accepts context here, and no request has it.') }),
  subagent_stop: STOP,
  pre_compact: row({ context: nativeBut('0.24.4: documented, not measured.') }),
  notification: row(),
  task_created: TODO,
  task_completed: TODO,
  instructions_loaded: row(),
  message_display: row(),
  session_end: row(),
  unknown: UNREAD,
};

/** What Qwen Code does without asking hooks. */
const blindSpots: readonly BlindSpot[] = [
  { tools: ['Bash'], all: false, note: '0.24.4: a command that the user types after ! runs without a hook.' },
  { tools: ['Read'], all: false, note: '0.24.4: a file that a prompt names with @ is read without a hook.' },
];

/** Arguments of 0.24.4. */
const readingTools: NonNullable<Agent['readingTools']> = {
  Read: {
    at: 'contents',
    below: false,
    path: ['file_path'],
    pattern: [],
    others: ['offset', 'limit', 'pages'],
  },
  Grep: { at: 'contents', below: true, path: ['path'], pattern: ['glob'], others: ['pattern', 'limit'] },
  Glob: { at: 'names', below: false, path: ['path'], pattern: ['pattern'], others: [] },
  Ls: { at: 'names', below: false, path: ['path'], pattern: ['ignore'], others: [] },
};

const qwen: Agent = {
  id: 'qwen',
  label: 'Qwen Code',
  testedVersion: VERSION,
  envAllowList: ['QWEN_PROJECT_DIR'],
  settingsFiles: ['**/.qwen/settings.json', '**/.qwen/extensions/**', '/etc/qwen-code/**'],
  instructions: ['**/QWEN.md', '**/.qwen/{commands,skills,agents}/**'],
  // Options and texts of 0.24.4.
  escapes: {
    programs: ['qwen'],
    unhooked: [
      'qwen --bare',
      'qwen --safe-mode',
      "qwen extensions disable '*hookline*'",
      "qwen extensions uninstall '*hookline*'",
    ],
    // Those that are named are the only ones that are loaded, and our hooks may be in one that is not.
    otherSettings: ['qwen --extensions', 'qwen -e'],
    unasked: ['qwen --yolo', 'qwen -y', 'qwen --approval-mode=yolo'],
    variables: ['QWEN_HOME'],
  },
  scratch: ['~/.qwen/tmp/**'],
  shellRemarks: ['description', 'timeout'],
  readingTools,
  processes: {
    programs: ['qwen'],
    packages: ['@qwen-code/qwen-code'],
    variables: ['QWEN_CODE_SESSION_ID', 'QWEN_PROJECT_DIR'],
  },
  supports,
  blindSpots,
  decode: payloads.decode,
  encode: (event, response, env) => encode(qwen, event, response, env),
  refusals,
  withInput,
  toolPayload,
  timeoutMs: settings.timeoutMs,
  setup: withWrapper({ ...setup, inspect }, wrapper),
  history,
  dialect,
  imports,
  // Newer scripts name it; its own payloads pass through them as they are.
  dispatcher: { sources: ['qwen'], endsTurns: ['newer'] },
};

export default qwen;
