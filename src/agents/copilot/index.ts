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
import { payloads, sends, withInput } from './decode.ts';
import { dialect } from './dialect.ts';
import { encode, refusals, toolPayload } from './encode.ts';
import { history } from './history.ts';
import { imports, permissions } from './imports.ts';
import { settings, setup } from './setup.ts';

// All notes: seen or read in Copilot CLI of this version.
const VERSION = '1.0.102';
const ASK_AS_REFUSAL = askAsRefusal(VERSION);
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const NO_MODEL_HOOKS = impossible('1.0.102 lets no hook see or change model requests.');

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('1.0.102 accepts no permission grants from a hook.'),
  env: impossible("1.0.102 doesn't let hooks set variables for later commands."),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

const STOP: Row = row({
  deny: nativeBut('1.0.102 lets the turn end after 8 denials in a row.'),
  ask: ASK_AS_REFUSAL,
  context: CONTEXT_IN_REFUSAL,
});

/** What Copilot CLI 1.0.102 can do with each effect on each event. */
const supports: Supports = {
  session_start: row({ context: nativeBut('1.0.102: a separate message before the prompt.') }),
  before_agent: row({
    deny: nativeBut('1.0.102: the prompt is not sent; with -p the run ends with exit code 1 and the reason.'),
    ask: ASK_AS_REFUSAL,
    context: native,
    halt: emulated('1.0.102: the prompt is denied, so no turn begins.'),
  }),
  before_tool: row({
    deny: native,
    ask: nativeBut('1.0.102: a dialog in its terminal; with -p and in editors it denies.'),
    allow: nativeBut('1.0.102: skips its own permissions, also with -p.'),
    rewrite: nativeBut(
      '1.0.102 replaces the whole input, so the merged one is sent; the screen shows the original. A patch accepts no other arguments and is denied.',
    ),
    context: nativeBut('1.0.102: a separate message after the results.'),
    halt: emulated("1.0.102 can't end a turn here; the call is denied."),
  }),
  permission_request: row({
    deny: native,
    ask: emulated(
      '1.0.102 sends this event also where it never asks the user, and does not say so; sent as a denial.',
    ),
    allow: native,
    rewrite: emulated("1.0.102 accepts no changed arguments here, so the call isn't allowed."),
    context: CONTEXT_IN_REFUSAL,
    halt: nativeBut('1.0.102: the call is denied and the turn ends; no Stop follows.'),
  }),
  after_tool: row({
    deny: emulated('1.0.102: the call has run; the reason replaces the result, unless the call failed.'),
    ask: emulated(
      '1.0.102: asking isn’t possible here; the reason replaces the result, unless the call failed.',
    ),
    context: nativeBut('1.0.102 cuts it at about 10 KB.'),
    replaceOutput: nativeBut('1.0.102: not of a call that failed.'),
  }),
  stop: STOP,
  stop_failure: row(),
  subagent_start: row({ context: nativeBut('1.0.102: before the task of the subagent.') }),
  subagent_stop: STOP,
  pre_compact: row(),
  notification: row(),
  session_end: row(),
  unknown: UNREAD,
};

/** What Copilot CLI does without asking hooks. */
const blindSpots: readonly BlindSpot[] = [
  {
    tools: ['Bash'],
    all: false,
    note: '1.0.102: a command that the user types after ! runs without a hook.',
  },
  {
    tools: ['Bash'],
    all: false,
    note: '1.0.102: what a command in the background does later fires no hook but a notification of its end.',
  },
];

/** Arguments of 1.0.102. */
const readingTools: NonNullable<Agent['readingTools']> = {
  Read: {
    at: 'contents',
    // It also lists folders.
    below: true,
    path: ['path'],
    pattern: [],
    others: ['view_range', 'forceReadLargeFiles'],
  },
  Grep: {
    at: 'contents',
    below: true,
    path: ['path', 'paths'],
    pattern: ['glob'],
    others: ['pattern', 'type', 'output_mode'],
  },
  Glob: { at: 'names', below: false, path: ['path', 'paths'], pattern: ['pattern'], others: [] },
};

const copilot: Agent = {
  id: 'copilot',
  label: 'Copilot CLI',
  testedVersion: VERSION,
  envAllowList: ['COPILOT_PROJECT_DIR'],
  settingsFiles: [
    '**/.copilot/hooks/**',
    '**/.copilot/settings.json',
    '**/.copilot/config.json',
    '**/.copilot/permissions-config.json',
    '**/.github/hooks/**',
    '**/.github/copilot/settings*.json',
    '**/.claude/settings*.json',
    '/etc/github-copilot/**',
  ],
  instructions: [
    '**/copilot-instructions.md',
    '**/.github/{instructions,prompts,agents}/**',
    '**/.copilot/{agents,skills}/**',
  ],
  // Options and texts of 1.0.102.
  escapes: {
    programs: ['copilot'],
    unhooked: ["copilot config disableAllHooks '*'", "copilot config hooks '*'"],
    otherSettings: ['copilot --config-dir'],
    unasked: ['copilot --yolo', 'copilot --allow-all', 'copilot --allow-all-tools'],
    variables: ['COPILOT_HOME'],
  },
  shellRemarks: ['description', 'shellId', 'mode', 'initial_wait'],
  readingTools,
  processes: {
    programs: ['copilot'],
    packages: ['@github/copilot'],
    variables: ['COPILOT_CLI', 'COPILOT_PROJECT_DIR'],
  },
  supports,
  blindSpots,
  sends,
  decode: payloads.decode,
  encode: (event, response, env) => encode(copilot, event, response, env),
  refusals,
  withInput,
  toolPayload,
  timeoutMs: settings.timeoutMs,
  setup,
  history,
  dialect,
  imports,
  permissions,
};

export default copilot;
