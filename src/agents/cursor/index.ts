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
import { payloads, sends, toolPayload, withInput } from './decode.ts';
import { dialect, imports } from './dialect.ts';
import { encode, refusals } from './encode.ts';
import { history } from './history.ts';
import { settings, setup } from './setup.ts';

// All notes: seen with, or read in, the executor that @cursor/sdk of this version has.
const VERSION = '1.0.32';
const ASK_AS_REFUSAL = askAsRefusal(VERSION);
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const NO_MODEL_HOOKS = impossible('1.0.32 lets no hook see or change model requests.');
const ALLOW_SKIPS_NOTHING = impossible('1.0.32: an allow skips nothing; its own approval decides.');

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('1.0.32 accepts no permission grants from a hook.'),
  env: impossible('1.0.32 accepts variables only at session start.'),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

const STOP: Row = row({
  deny: nativeBut('1.0.32: the reason is its next message; after 5 rounds it is not asked any more.'),
  ask: ASK_AS_REFUSAL,
  context: CONTEXT_IN_REFUSAL,
});

/** What Cursor can do with each effect on each event. */
const supports: Supports = {
  session_start: row({ context: native, env: nativeBut('1.0.32: later hooks have it.') }),
  before_agent: row({
    deny: native,
    ask: ASK_AS_REFUSAL,
    context: native,
    halt: emulated('1.0.32: the prompt is denied, so no turn begins.'),
  }),
  before_tool: row({
    deny: native,
    ask: emulated('1.0.32 treats a question here as no decision; sent as a denial with the reason.'),
    allow: ALLOW_SKIPS_NOTHING,
    rewrite: nativeBut(
      '1.0.32 accepts a changed command, directory, pattern or path; otherwise the call is denied, and the model reads which arguments to use.',
    ),
    context: native,
  }),
  permission_request: row({
    deny: native,
    ask: native,
    allow: ALLOW_SKIPS_NOTHING,
    context: CONTEXT_IN_REFUSAL,
  }),
  after_tool: row({
    deny: emulated('1.0.32: the call has run; the model reads the reason after the result.'),
    ask: emulated('1.0.32: asking isn’t possible here; the model reads the reason after the result.'),
    context: native,
  }),
  stop: STOP,
  subagent_start: row({ deny: native, ask: ASK_AS_REFUSAL, context: CONTEXT_IN_REFUSAL }),
  subagent_stop: STOP,
  pre_compact: row(),
  session_end: row(),
  unknown: UNREAD,
};

/** What Cursor does without asking hooks. */
const blindSpots: readonly BlindSpot[] = [
  {
    tools: null,
    all: false,
    note: 'Not measured on the client itself: its command line is said to ask hooks only about sessions and tool calls.',
  },
];

/** Arguments of 1.0.32. */
const readingTools: NonNullable<Agent['readingTools']> = {
  Read: { at: 'contents', below: false, path: ['file_path'], pattern: [], others: ['offset', 'limit'] },
};

const cursor: Agent = {
  id: 'cursor',
  label: 'Cursor',
  testedVersion: VERSION,
  testedPart: '@cursor/sdk',
  envAllowList: [],
  settingsFiles: ['**/.cursor/hooks.json', '/etc/cursor/**'],
  instructions: ['**/.cursorrules', '**/.cursor/{rules,commands}/**'],
  escapes: { programs: ['cursor-agent'], unhooked: [], otherSettings: [], variables: [] },
  shellRemarks: ['description', 'timeout'],
  readingTools,
  processes: {
    programs: ['cursor-agent'],
    packages: ['@cursor/sdk'],
    variables: ['CURSOR_PROJECT_DIR', 'CURSOR_VERSION'],
  },
  supports,
  blindSpots,
  sends,
  decode: payloads.decode,
  encode: (event, response) => encode(cursor, event, response),
  refusals,
  withInput,
  toolPayload,
  history,
  timeoutMs: settings.timeoutMs,
  setup,
  dialect,
  imports,
};

export default cursor;
