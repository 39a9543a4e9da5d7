import { type Agent, type BlindSpot, emulated, impossible, native, type Supports } from '../agent.ts';
import { shimTimeoutMs } from '../kit/shim/setup.ts';
import { askAsRefusal, messageLost, nativeBut, supportRows, UNREAD } from '../kit/support-rows.ts';
import { describe, payloads, toolPayload, withInput } from './decode.ts';
import { encode, refusals } from './encode.ts';
import { history } from './history.ts';
import { HOST, setup } from './setup.ts';

// All notes: seen or read in Cline of this version.
const VERSION = '3.0.65';
const NO_MODEL_HOOKS = impossible(
  'Requests to the model have all of the conversation: they are not sent on.',
);
const AFTERWARDS = '3.0.65: the call has run; the reason replaces the result.';

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('3.0.65 accepts no permission grants from a plugin.'),
  env: impossible("3.0.65 doesn't let plugins set variables for later commands."),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

/** What Cline 3.0.65 can do with each effect on each event. */
const supports: Supports = {
  session_start: row(),
  before_agent: row({
    deny: nativeBut('3.0.65: no request goes to the model; the run ends with exit code 0.'),
    ask: askAsRefusal(VERSION),
    context: nativeBut('3.0.65: a separate message before the first request.'),
    halt: emulated('3.0.65: the run does not begin.'),
  }),
  before_tool: row({
    deny: nativeBut('3.0.65: not fired for unknown tools and for arguments that are not JSON.'),
    ask: nativeBut(
      '3.0.65: asks in its own dialog; without a terminal it denies, and the model also reads the reason.',
    ),
    allow: nativeBut('3.0.65: runs without its own approval.'),
    rewrite: nativeBut('3.0.65: the model and the transcript have the original arguments.'),
    context: native,
    halt: nativeBut('3.0.65: ends the run, with exit code 0.'),
  }),
  after_tool: row({
    deny: emulated(AFTERWARDS),
    ask: emulated(AFTERWARDS),
    context: native,
    replaceOutput: native,
    halt: nativeBut('3.0.65: ends the run, with exit code 0.'),
  }),
  stop: row({ deny: impossible('3.0.65 notifies plugins that a run has ended, and accepts no answer.') }),
  stop_failure: row(),
  interrupt: row(),
  subagent_start: row({
    deny: nativeBut('3.0.65: the run of the subagent does not begin; not measured.'),
    ask: askAsRefusal(VERSION),
    context: nativeBut('3.0.65: a separate message before the first request.'),
    halt: emulated('3.0.65: the run of the subagent does not begin.'),
  }),
  subagent_stop: row(),
  unknown: UNREAD,
};

/** What Cline does without asking plugins. */
const blindSpots: readonly BlindSpot[] = [
  {
    tools: null,
    all: false,
    note: '3.0.65 goes on without a plugin that took more than 4 s to load, as on a busy machine.',
  },
];

/** Arguments of 3.0.65. */
const readingTools: NonNullable<Agent['readingTools']> = {
  Grep: { at: 'contents', below: true, path: [], pattern: [], others: ['queries'] },
};

const cline: Agent = {
  id: 'cline',
  label: 'Cline',
  testedVersion: VERSION,
  envAllowList: [],
  settingsFiles: [
    '**/.cline/plugins/**',
    '**/.cline/data/settings/global-settings.json',
    '**/Documents/Cline/Plugins/**',
    '**/Documents/Cline/Hooks/**',
    '**/.cline/hooks/**',
    '**/.clinerules/hooks/**',
  ],
  instructions: ['**/.clinerules', '**/.clinerules/**', '**/Documents/Cline/{Rules,Workflows}/**'],
  escapes: {
    programs: ['cline'],
    unhooked: ["cline plugin remove '*hookline*'", "cline plugin uninstall '*hookline*'"],
    otherSettings: ['cline --config', 'cline --data-dir'],
    unasked: ['cline --yolo', 'cline -y', 'cline --auto-approve=true'],
    variables: ['CLINE_DIR', 'CLINE_DATA_DIR', 'CLINE_PLUGIN_IMPORT_TIMEOUT_MS'],
  },
  shellRemarks: [],
  readingTools,
  processes: { programs: ['cline'], packages: ['cline'], variables: ['CLINE_CONNECTOR_CLI_LAUNCH'] },
  supports,
  blindSpots,
  decode: payloads.decode,
  encode: (event, response) => encode(cline, event, response),
  refusals,
  withInput,
  describe,
  toolPayload,
  timeoutMs: () => shimTimeoutMs(HOST),
  setup,
  history,
};

export default cline;
