import { emulated, impossible, native, type Supports } from '../agent.ts';
import { but, contextInRefusal, messageLost, type Row, supportRows, UNREAD } from '../support-rows.ts';

// All notes: seen or read in Codex of this version.
const VERSION = '0.166.0';
const ASK_AS_REFUSAL = emulated('0.166.0 has no "ask" for hooks; sent as a refusal with the reason.');
const CONTEXT = but(
  '0.166.0: a text over some 2,500 tokens is saved to a file, and the model gets its beginning and the path.',
);
const MESSAGE = but('0.166.0: shown to the person as a warning, never to the model.');
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const NO_MODEL_HOOKS = impossible('0.166.0 shows hooks no request to the model and takes no change of one.');

const row = supportRows(VERSION, {
  systemMessage: messageLost(VERSION),
  grants: impossible('0.166.0 takes no permissions to remember from a hook.'),
  env: impossible('0.166.0 has no way for a hook to set variables for later commands.'),
  llmRequest: NO_MODEL_HOOKS,
  llmResponse: NO_MODEL_HOOKS,
  toolConfig: NO_MODEL_HOOKS,
});

const HALT_AS_REFUSAL = emulated(
  '0.166.0 cannot end the turn from here; the call is refused with the reason, and the turn goes on.',
);

const STOP: Row = row({
  deny: but('0.166.0: the agent goes on, with the reason as a message of the user.'),
  ask: ASK_AS_REFUSAL,
  context: CONTEXT_IN_REFUSAL,
  systemMessage: MESSAGE,
  halt: but('0.166.0: ends the turn even if something else refuses to let it end.'),
});

/** What Codex 0.166.0 can do with each effect on each event. */
export const supports: Supports = {
  session_start: row({
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: but(
      '0.166.0 fires this event with the first prompt, and ends that turn before the model is asked.',
    ),
  }),
  before_agent: row({
    deny: but(
      '0.166.0: the prompt is not sent; the reason is shown to the person (not by `codex exec`), never to the model.',
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
      '0.166.0 fails a hook that says "ask" and runs the tool; sent as a refusal with the reason.',
    ),
    allow: emulated(
      '0.166.0 fails a hook that says "allow" and nothing else; silence lets the call go on, and a request for approval that follows is an event of its own.',
    ),
    rewrite: but(
      '0.166.0 takes the whole input together with "allow", which skips no approval: the changed call is asked about like any other.',
    ),
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: HALT_AS_REFUSAL,
  }),
  permission_request: row({
    deny: native,
    ask: emulated('0.166.0: silence leaves the prompt to the person.'),
    allow: native,
    rewrite: emulated(
      '0.166.0 takes no changed arguments here; an allow that came with some is not said, and the person is asked.',
    ),
    context: CONTEXT_IN_REFUSAL,
    systemMessage: MESSAGE,
    halt: HALT_AS_REFUSAL,
  }),
  after_tool: row({
    deny: emulated('0.166.0: the call has happened; the model gets the reason in place of the output.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    systemMessage: MESSAGE,
    halt: impossible('0.166.0 takes a halt here for a replacement of the output, and the turn goes on.'),
    replaceOutput: but('0.166.0: by a text; anything else is sent as JSON.'),
  }),
  pre_compact: row({
    deny: but('0.166.0: the turn is interrupted with it.'),
    ask: ASK_AS_REFUSAL,
    systemMessage: MESSAGE,
    halt: but('0.166.0: nothing is compacted either.'),
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
