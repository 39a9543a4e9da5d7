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
import { payloads, sends, toolPayload, unread, withInput } from './decode.ts';
import { encode, refusals } from './encode.ts';
import { history } from './history.ts';
import { settings, setup } from './setup.ts';

// All notes: seen in Grok of this version, or read in the documentation that it brings along.
const VERSION = '1.0.41';
const ASK_AS_REFUSAL = askAsRefusal(VERSION);
const NO_MODEL_HOOKS = impossible('1.0.41 lets no hook see or change model requests.');

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('1.0.41 accepts no permission grants from a hook.'),
  env: impossible("1.0.41 doesn't let hooks set variables for later commands."),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

const STOP: Row = row({
  deny: nativeBut('1.0.41 lets the turn end after 8 denials in a turn.'),
  ask: ASK_AS_REFUSAL,
  context: contextInRefusal(VERSION),
  halt: native,
});

/** What Grok 1.0.41 can do with each effect on each event. */
const supports: Supports = {
  session_start: row(),
  before_agent: row({
    deny: nativeBut(
      '1.0.41: the prompt is not sent; with -p the run ends with exit code 0 and no output. A subagent’s task is not asked about.',
    ),
    ask: ASK_AS_REFUSAL,
    halt: emulated('1.0.41: the prompt is denied, so no turn begins.'),
  }),
  before_tool: row({
    deny: nativeBut('1.0.41: the model reads the first 256 characters of the reason.'),
    ask: nativeBut(
      '1.0.41 asks in its default and plan modes; in others it would run the call, so it is denied. With -p the turn is canceled.',
    ),
    allow: emulated('1.0.41: a permission grants nothing; its own check comes afterwards.'),
    rewrite: nativeBut('1.0.41 replaces the whole input, so the merged one is sent.'),
    context: nativeBut('1.0.41: the model reads it after the result.'),
  }),
  permission_denied: row(),
  after_tool: row({
    deny: emulated('1.0.41: the call has run; the model reads the reason after the result.'),
    ask: emulated('1.0.41: no one can be asked here; the model reads the reason after the result.'),
    context: native,
    replaceOutput: nativeBut('1.0.41: only of a command; other results have shapes of their own.'),
  }),
  stop: STOP,
  stop_failure: row(),
  interrupt: row(),
  notification: row(),
  subagent_start: row(),
  subagent_stop: STOP,
  pre_compact: row(),
  post_compact: row(),
  session_end: row(),
  unknown: UNREAD,
};

/** What Grok does without asking hooks. */
const blindSpots: readonly BlindSpot[] = [
  {
    tools: ['Bash'],
    all: false,
    note: '1.0.41: a command that the user types after ! is not known to be asked about.',
  },
];

/** Arguments of 1.0.41. */
const readingTools: NonNullable<Agent['readingTools']> = {
  Read: {
    at: 'contents',
    below: false,
    path: ['target_file'],
    pattern: [],
    others: ['offset', 'limit', 'pages', 'format'],
  },
  Grep: {
    at: 'contents',
    below: true,
    path: ['path'],
    pattern: ['glob'],
    others: ['pattern', 'type', '-A', '-B', '-C', '-i', 'head_limit', 'multiline'],
  },
  Ls: { at: 'names', below: false, path: ['target_directory'], pattern: [], others: [] },
};

const grok: Agent = {
  id: 'grok',
  label: 'Grok',
  testedVersion: VERSION,
  envAllowList: [],
  settingsFiles: [
    '**/.grok/hooks/**',
    '**/.grok/config.toml',
    '**/.grok/disabled-hooks',
    '**/.grok/trusted_folders.toml',
    '/etc/grok/**',
  ],
  instructions: ['**/AGENTS.md', '**/.grok/{agents,skills,commands}/**'],
  escapes: {
    programs: ['grok'],
    unhooked: [],
    otherSettings: ['grok --plugin-dir'],
    unasked: ['grok --always-approve', 'grok --permission-mode=bypassPermissions'],
    variables: ['GROK_HOME'],
  },
  shellRemarks: ['description', 'timeout', 'timeout_ms'],
  readingTools,
  processes: {
    programs: ['grok'],
    packages: ['@xai-official/grok'],
    variables: ['GROK_SESSION_ID', 'GROK_WORKSPACE_ROOT'],
  },
  supports,
  blindSpots,
  sends,
  unread,
  decode: payloads.decode,
  encode: (event, response, env) => encode(grok, event, response, env),
  refusals,
  withInput,
  toolPayload,
  timeoutMs: settings.timeoutMs,
  setup,
  history,
};

export default grok;
