import { type Agent, type BlindSpot, emulated, impossible, native, type Supports } from '../agent.ts';
import {
  contextInRefusal,
  messageLost,
  nativeBut,
  type Row,
  supportRows,
  UNREAD,
} from '../kit/support-rows.ts';
import { decode, toolPayload, withInput } from './decode.ts';
import { dialect } from './dialect.ts';
import { dispatcher } from './dispatcher.ts';
import { encode, refusals } from './encode.ts';
import { history } from './history.ts';
import { imports, permissions } from './imports.ts';
import { inspect } from './inspect.ts';
import { lint } from './lint.ts';
import { setup, timeoutMs } from './setup.ts';

// All notes: seen or read in Codex of this version.
const VERSION = '0.166.0';
const ASK_AS_REFUSAL = emulated('0.166.0 has no "ask" for hooks; sent as a denial with the reason.');
const CONTEXT = nativeBut(
  '0.166.0: a text over some 2,500 tokens is saved to a file, and the model gets its beginning and the path.',
);
const MESSAGE = nativeBut('0.166.0: shown to the user as a warning, never to the model.');
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const NO_MODEL_HOOKS = impossible('0.166.0 shows hooks no model requests and accepts no changes to them.');

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('0.166.0 accepts no permission grants from a hook.'),
  env: impossible('0.166.0 has no way for a hook to set variables for later commands.'),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

const HALT_AS_REFUSAL = emulated(
  "0.166.0 can't end the turn here; the call is denied with the reason, and the turn continues.",
);

const STOP: Row = row({
  deny: nativeBut('0.166.0: the agent goes on, with the reason as a message of the user.'),
  ask: ASK_AS_REFUSAL,
  context: CONTEXT_IN_REFUSAL,
  systemMessage: MESSAGE,
  halt: nativeBut('0.166.0: ends the turn even if something else denies its end.'),
});

/** What Codex 0.166.0 can do with each effect on each event. */
const supports: Supports = {
  session_start: row({
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: nativeBut(
      '0.166.0 fires this event with the first prompt, and ends that turn before the model is asked.',
    ),
  }),
  before_agent: row({
    deny: nativeBut(
      '0.166.0: the prompt is not sent; the reason is shown to the user (not by `codex exec`), never to the model.',
    ),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: native,
  }),
  before_model: row(),
  after_model: row(),
  before_tool: row({
    deny: native,
    ask: emulated(
      '0.166.0 treats "ask" as a failed hook and runs the tool; sent as a denial with the reason.',
    ),
    allow: emulated(
      '0.166.0 treats a plain "allow" as a failed hook; without an answer the call continues, and a following approval is a separate event.',
    ),
    rewrite: nativeBut(
      '0.166.0 takes the whole input together with "allow", which skips no approval: the changed call is asked about like any other.',
    ),
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: HALT_AS_REFUSAL,
  }),
  permission_request: row({
    deny: native,
    ask: emulated('0.166.0: without an answer the user decides at the prompt.'),
    allow: native,
    rewrite: emulated(
      '0.166.0 accepts no changed arguments here; an allow with changed arguments is not sent, and the user is asked.',
    ),
    context: CONTEXT_IN_REFUSAL,
    systemMessage: MESSAGE,
    halt: HALT_AS_REFUSAL,
  }),
  after_tool: row({
    deny: emulated('0.166.0: the call has run; the model gets the reason in place of the output.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: impossible('0.166.0 takes a halt here for a replacement of the output, and the turn goes on.'),
    replaceOutput: nativeBut('0.166.0: by a text; anything else is sent as JSON.'),
  }),
  pre_compact: row({
    deny: nativeBut('0.166.0: the turn is interrupted with it.'),
    ask: ASK_AS_REFUSAL,
    systemMessage: MESSAGE,
    halt: nativeBut('0.166.0: nothing is compacted either.'),
  }),
  post_compact: row({ systemMessage: MESSAGE }),
  subagent_start: row({
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: impossible('0.166.0 reads a halt here and lets the subagent start all the same.'),
  }),
  subagent_stop: STOP,
  stop: STOP,
  interrupt: row({ systemMessage: MESSAGE }),
  session_end: row(),
  unknown: UNREAD,
};

/** What Codex does without asking hooks. */
const blindSpots: readonly BlindSpot[] = [
  {
    tools: ['Bash'],
    all: false,
    note: '0.166.0: what the model types into a process that already runs (write_stdin) fires no hook.',
  },
  {
    tools: ['WebSearch'],
    all: true,
    note: '0.166.0: web_search runs at the provider and fires no hook.',
  },
];

const codex: Agent = {
  id: 'codex',
  label: 'Codex',
  testedVersion: VERSION,
  // It sets no variables for hooks (0.166.0).
  envAllowList: [],
  settingsFiles: ['**/.codex/hooks.json', '**/.codex/config.toml', '**/.codex/rules/**', '/etc/codex/**'],
  instructions: ['**/AGENTS.md', '**/AGENTS.override.md', '**/.codex/{prompts,skills,memories}/**'],
  // `--help` of 0.166.0. A profile is layered on top of the user's settings and may switch hooks off.
  escapes: {
    programs: ['codex'],
    unhooked: [
      'codex --disable=hooks',
      'codex --ignore-user-config',
      'codex features disable hooks',
      "codex --config='*hooks*false*'",
      "codex -c='*hooks*false*'",
      'codex -cfeatures.hooks=false',
    ],
    otherSettings: ['codex --profile', 'codex -p', "codex --config='*hooks*'", "codex -c='*hooks*'"],
    unasked: ['codex --dangerously-bypass-approvals-and-sandbox', 'codex --yolo'],
    variables: ['CODEX_HOME'],
  },
  shellRemarks: ['justification', 'reason'],
  processes: {
    programs: ['codex', 'codex-exec', 'codex-linux-sandbox'],
    packages: ['@openai/codex'],
    variables: ['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID'],
  },
  supports,
  blindSpots,
  decode,
  encode: (event, response, env) => encode(codex, event, response, env),
  refusals,
  dispatcher,
  withInput,
  toolPayload,
  timeoutMs,
  history,
  setup: { ...setup, inspect },
  dialect,
  permissions,
  imports,
  lint,
  bridge: {
    summary: 'Run Codex with every approval going through Hookline.',
    load: async () => (await import('./app-server/launch.ts')).bridge,
  },
};

export default codex;
