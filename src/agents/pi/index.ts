import { type Agent, type BlindSpot, emulated, impossible, native, type Supports } from '../agent.ts';
import { shimTimeoutMs } from '../kit/shim/setup.ts';
import {
  askAsRefusal,
  contextInRefusal,
  messageLost,
  nativeBut,
  supportRows,
  UNREAD,
} from '../kit/support-rows.ts';
import { describe, payloads, toolPayload, withInput } from './decode.ts';
import { encode, refusals } from './encode.ts';
import { history } from './history.ts';
import { HOST, setup } from './setup.ts';

// All notes: seen or read in Pi of this version.
const VERSION = '1.5.0';
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const MESSAGE = nativeBut('1.5.0: shown where there is a screen; not shown with -p.');
const DIALOG = nativeBut('1.5.0: asks in its own dialog; without a screen, as with -p, denied.');
const NO_MODEL_HOOKS = impossible(
  'Requests to the model have keys and all of the conversation: not sent on.',
);
const AFTERWARDS = '1.5.0: the call has run; the model reads the reason with the result.';

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('1.5.0 has no permissions that could be remembered.'),
  env: impossible('1.5.0 lets an extension set variables only by replacing its shell.'),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

/** What Pi 1.5.0 can do with each effect on each event. */
const supports: Supports = {
  session_start: row({ systemMessage: MESSAGE }),
  before_agent: row({
    deny: nativeBut('1.5.0: the prompt is not sent; with -p the run ends with exit code 0 and no output.'),
    ask: DIALOG,
    context: nativeBut('1.5.0: a separate message after the prompt.'),
    systemMessage: MESSAGE,
    halt: emulated('1.5.0: the prompt is denied, so no turn begins.'),
  }),
  before_tool: row({
    deny: native,
    ask: DIALOG,
    allow: emulated('1.5.0 has no permissions; without an answer the call runs.'),
    rewrite: nativeBut(
      "1.5.0: not checked again, and the model doesn't see what ran. A command after ! is denied instead.",
    ),
    context: CONTEXT_IN_REFUSAL,
    systemMessage: MESSAGE,
    halt: nativeBut('1.5.0: the call is denied, and no further request goes to the model.'),
  }),
  after_tool: row({
    deny: emulated(AFTERWARDS),
    ask: emulated(AFTERWARDS),
    context: nativeBut('1.5.0: one more text in the result.'),
    systemMessage: MESSAGE,
    halt: nativeBut('1.5.0: no further request goes to the model; with -p the exit code is 1.'),
    replaceOutput: native,
  }),
  stop: row({
    deny: nativeBut('1.5.0 sets no limit.'),
    ask: askAsRefusal(VERSION),
    context: CONTEXT_IN_REFUSAL,
    systemMessage: MESSAGE,
  }),
  stop_failure: row(),
  interrupt: row(),
  pre_compact: row({
    deny: nativeBut('1.5.0: the turn goes on with the long conversation.'),
    ask: askAsRefusal(VERSION),
    systemMessage: MESSAGE,
  }),
  post_compact: row(),
  notification: row(),
  session_end: row(),
  unknown: UNREAD,
};

/** What Pi does without asking extensions. */
const blindSpots: readonly BlindSpot[] = [
  { tools: ['Read'], all: false, note: '1.5.0: a file that is given as @file is read without a call.' },
  {
    tools: null,
    all: false,
    note: '1.5.0: what other extensions run by themselves, in their commands or tools, is not seen.',
  },
];

/** Arguments of 1.5.0. */
const readingTools: NonNullable<Agent['readingTools']> = {
  Read: { at: 'contents', below: false, path: ['path'], pattern: [], others: ['offset', 'limit'] },
  Grep: {
    at: 'contents',
    below: true,
    path: ['path'],
    pattern: ['glob'],
    others: ['pattern', 'ignoreCase', 'literal', 'context', 'limit'],
  },
  Glob: { at: 'names', below: true, path: ['path'], pattern: ['pattern'], others: ['limit'] },
  Ls: { at: 'names', below: false, path: ['path'], pattern: [], others: ['limit'] },
};

const pi: Agent = {
  id: 'pi',
  label: 'Pi',
  testedVersion: VERSION,
  envAllowList: [],
  // Settings switch extensions off by name, and trust decides about those of a project.
  settingsFiles: [
    '**/.pi/agent/extensions/**',
    '**/.pi/agent/settings.json',
    '**/.pi/agent/trust.json',
    '**/.pi/agent/npm/node_modules/hookline/**',
    '**/.pi/extensions/**',
    '**/.pi/settings.json',
    '**/.pi/npm/node_modules/hookline/**',
  ],
  instructions: [
    '**/AGENTS.md',
    '**/.pi/agent/{SYSTEM.md,APPEND_SYSTEM.md}',
    '**/.pi/agent/{skills,prompts}/**',
  ],
  // Options of 1.5.0.
  escapes: {
    programs: ['pi'],
    unhooked: ['pi -ne', 'pi --no-extensions', "pi remove '*hookline*'"],
    otherSettings: [],
    variables: ['PI_CODING_AGENT_DIR'],
  },
  shellRemarks: ['timeout'],
  readingTools,
  processes: {
    programs: ['pi'],
    packages: ['@earendil-works/pi-coding-agent'],
    variables: ['PI_CODING_AGENT', 'PI_SESSION_ID'],
  },
  supports,
  blindSpots,
  decode: payloads.decode,
  encode: (event, response) => encode(pi, event, response),
  refusals,
  withInput,
  describe,
  toolPayload,
  timeoutMs: () => shimTimeoutMs(HOST),
  setup,
  history,
};

export default pi;
