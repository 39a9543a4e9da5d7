import { emulated, impossible, native, type Support, type Supports } from '../agent.ts';

const but = (note: string): Support => ({ level: 'native', note });

// All notes: seen or read in Codex 0.166.0.
const SILENCE_ALLOWS = emulated('0.166.0: nothing here waits for permission; silence lets it happen.');
const ASK_AS_REFUSAL = emulated('0.166.0 has no "ask" for hooks; sent as a refusal with the reason.');
const CONTEXT = but(
  '0.166.0: a text over some 2,500 tokens is saved to a file, and the model gets its beginning and the path.',
);
const MESSAGE = but('0.166.0: shown to the person as a warning, never to the model.');
const MESSAGE_LOST = impossible('0.166.0 does not read a message to the person on this event.');
const CONTEXT_LOST = impossible('0.166.0 takes no context for the model on this event.');
const CONTEXT_IN_REFUSAL = emulated(
  '0.166.0 takes no context here; it goes along in the reason of a refusal and otherwise has to wait.',
);
const NO_REFUSAL = impossible('0.166.0 does not let a hook stop this.');
const NO_ASKING = impossible('0.166.0 neither asks a person nor takes a refusal here.');
const NO_HALT = impossible('0.166.0 does not end the turn from this event.');
const NO_REWRITE = impossible('0.166.0 takes no changed arguments on this event.');
const NO_OUTPUT = impossible('0.166.0 has no output to replace on this event.');
const NO_GRANTS = impossible('0.166.0 takes no permissions to remember from a hook.');
const NO_ENV = impossible('0.166.0 has no way for a hook to set variables for later commands.');
const NO_MODEL_HOOKS = impossible('0.166.0 shows hooks no request to the model and takes no change of one.');

type Row = NonNullable<Supports['stop']>;

/** An event that can only be watched; what it can do more is named by the caller. */
function row(more: Row = {}): Row {
  return {
    deny: NO_REFUSAL,
    ask: NO_ASKING,
    allow: SILENCE_ALLOWS,
    rewrite: NO_REWRITE,
    context: CONTEXT_LOST,
    systemMessage: MESSAGE_LOST,
    halt: NO_HALT,
    replaceOutput: NO_OUTPUT,
    grants: NO_GRANTS,
    env: NO_ENV,
    llmRequest: NO_MODEL_HOOKS,
    llmResponse: NO_MODEL_HOOKS,
    toolConfig: NO_MODEL_HOOKS,
    ...more,
  };
}

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
  unknown: {
    deny: emulated('Only for a payload that could not be read, on an event that can be refused.'),
  },
};
