import { type Agent, type BlindSpot, emulated, impossible, native, type Supports } from '../agent.ts';
import {
  askAsRefusal,
  contextInRefusal,
  messageLost,
  nativeBut,
  supportRows,
  UNREAD,
} from '../kit/support-rows.ts';
import { payloads, toolPayload, withInput } from './decode.ts';
import { dialect } from './dialect.ts';
import { encode, refusals } from './encode.ts';
import { history } from './history.ts';
import { imports, permissions } from './imports.ts';
import { settings, setup } from './setup.ts';

// All notes: seen or read in Droid of this version.
const VERSION = '0.225.2';
const ASK_AS_REFUSAL = askAsRefusal(VERSION);
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const MESSAGE = nativeBut('0.225.2: shown to the user, never to the model.');
const NO_MODEL_HOOKS = impossible('0.225.2 lets no hook see or change model requests.');

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('0.225.2 accepts no permission grants from a hook.'),
  env: impossible('0.225.2 provides a file for variables only at session start.'),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

/** What Droid 0.225.2 can do with each effect on each event. */
const supports: Supports = {
  session_start: row({
    context: native,
    env: nativeBut('0.225.2: later commands of the shell tool have it.'),
  }),
  before_agent: row({
    deny: nativeBut('0.225.2: not asked in `droid exec` and ACP, nor about a prompt over 128 KiB.'),
    ask: ASK_AS_REFUSAL,
    rewrite: emulated('0.225.2 takes another prompt, and no other argument.'),
    context: native,
    halt: emulated('0.225.2: the prompt is denied, so no turn begins.'),
  }),
  before_tool: row({
    deny: native,
    ask: emulated(
      '0.225.2 treats a question as no decision and runs the tool; sent as a denial with the reason.',
    ),
    allow: nativeBut('0.225.2: runs without its permission check, also in a run that may only read.'),
    rewrite: nativeBut(
      '0.225.2 merges the arguments into those of the call; of several hooks the first one counts.',
    ),
    context: CONTEXT_IN_REFUSAL,
    halt: nativeBut('0.225.2: the call does not run and the run ends without an answer.'),
  }),
  after_tool: row({
    deny: emulated(
      '0.225.2: the call has run; the model reads the reason after the result. Failed calls fire no hook.',
    ),
    ask: emulated('0.225.2: asking isn’t possible here; the model reads the reason after the result.'),
    context: native,
    systemMessage: MESSAGE,
    halt: native,
  }),
  stop: row({
    deny: nativeBut('0.225.2 has no limit of denials in a row.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT_IN_REFUSAL,
    systemMessage: MESSAGE,
  }),
  subagent_stop: row(),
  pre_compact: row({ deny: nativeBut('0.225.2: the compaction is not made.'), ask: ASK_AS_REFUSAL }),
  notification: row(),
  session_end: row(),
  unknown: UNREAD,
};

/** What Droid does without asking hooks. */
const blindSpots: readonly BlindSpot[] = [
  {
    tools: ['Bash'],
    all: false,
    note: '0.225.2: a command that the user types after ! runs without a hook.',
  },
];

/** Arguments of 0.225.2. */
const readingTools: NonNullable<Agent['readingTools']> = {
  Read: { at: 'contents', below: false, path: ['file_path'], pattern: [], others: ['offset', 'limit'] },
  Grep: { at: 'contents', below: true, path: ['path'], pattern: ['glob_pattern'], others: ['pattern'] },
  Glob: {
    at: 'names',
    below: false,
    path: ['folder'],
    pattern: ['patterns', 'excludePatterns'],
    others: [],
  },
  Ls: { at: 'names', below: false, path: ['directory_path'], pattern: [], others: [] },
};

const droid: Agent = {
  id: 'droid',
  label: 'Droid',
  testedVersion: VERSION,
  envAllowList: ['DROID_PROJECT_DIR', 'CLAUDE_ENV_FILE'],
  settingsFiles: ['**/.factory/hooks.json', '**/.factory/settings*.json', '**/.factory/plugins/**'],
  instructions: ['**/AGENTS.md', '**/.factory/{droids,commands,skills}/**'],
  escapes: {
    programs: ['droid'],
    unhooked: [],
    // Merged into the settings of this one run.
    otherSettings: ['droid --settings=*', 'droid exec --settings=*'],
    unasked: ['droid exec --skip-permissions-unsafe'],
    variables: ['FACTORY_HOME_OVERRIDE', 'FACTORY_RUNTIME_SETTINGS_PATH'],
  },
  // The risk is what the model says of its own command.
  shellRemarks: ['summary', 'riskLevel', 'riskLevelReason', 'timeout'],
  readingTools,
  processes: {
    programs: ['droid'],
    packages: ['@factory/cli'],
    variables: ['DROID_PROJECT_DIR', 'FACTORY_PROJECT_DIR'],
  },
  supports,
  blindSpots,
  decode: payloads.decode,
  encode: (event, response, env) => encode(droid, event, response, env),
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

export default droid;
