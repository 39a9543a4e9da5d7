import { emulated, impossible, type Supports } from '../agent.ts';
import { askAsRefusal, but, contextInRefusal, supportRows, UNREAD } from '../support-rows.ts';

// All notes: seen or read in Gemini CLI of this version.
const VERSION = '0.61.0';
const ASK_AS_REFUSAL = askAsRefusal(VERSION);
const MESSAGE = but('0.61.0: shown to the person (headless: on stderr), never to the model.');
const CONTEXT = but('0.61.0: wrapped in <hook_context>; angle brackets in it are escaped.');
const CONTEXT_IN_REFUSAL = contextInRefusal(VERSION);
const HALT = but('0.61.0: ends the turn; a headless run still exits with 0.');

const row = supportRows(VERSION, {
  systemMessage: MESSAGE,
  grants: impossible('0.61.0 remembers no permission for a hook; write its policy files (--policy) instead.'),
  env: impossible('0.61.0 gives hooks no way to set variables for later commands.'),
  llmRequest: impossible('0.61.0 takes a changed request only before it goes to the model.'),
  llmResponse: impossible('0.61.0 takes an answer of the model only on the two model events.'),
  toolConfig: impossible('0.61.0 takes a choice of tools only on the event that is about it.'),
});

/** What Gemini CLI 0.61.0 can do with each effect on each event. */
export const supports: Supports = {
  session_start: row({
    context: but(
      '0.61.0: headless it is put before the prompt, so that a /command in it is not recognised; after /clear it is dropped, and waits for the prompt.',
    ),
  }),
  before_agent: row({
    deny: but('0.61.0: the prompt is dropped; the reason is shown to the person, not to the model.'),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    halt: but('0.61.0: no model call, but the prompt stays in the history.'),
  }),
  before_model: row({
    deny: but('0.61.0: the turn ends without the request; the reason is shown to the person.'),
    ask: ASK_AS_REFUSAL,
    halt: HALT,
    llmRequest: but(
      '0.61.0: model, messages (text, by position) and four settings; settings that are not repeated are lost, so all are sent.',
    ),
    llmResponse: but(
      '0.61.0 reads it only together with deny, which is sent along; it is shown, but not added to the history.',
    ),
  }),
  before_tool_selection: row({
    systemMessage: emulated(
      '0.61.0 takes any answer here for a choice of tools, so a message goes only along with one.',
    ),
    toolConfig: but('0.61.0: a list of what may be called, never of what may not.'),
  }),
  after_model: row({
    deny: emulated('0.61.0 ends the stream, but shows the chunk and runs the tool calls in it.'),
    ask: emulated('0.61.0: nobody can be asked here; sent as a refusal, which comes too late.'),
    halt: but('0.61.0: the chunk is not shown and the turn ends.'),
    llmResponse: emulated(
      '0.61.0 changes what is shown; the history and the next request keep the original, and a function call in the chunk is dropped.',
    ),
  }),
  before_tool: row({
    deny: but('0.61.0: not asked for unknown tools, @file, !shell, and nothing in --acp sessions.'),
    ask: emulated(
      '0.61.0 ends the process in silence when nobody is there, and does not tell hooks whether somebody is: sent as a refusal unless HOOKLINE_ATTENDED=1 is in its environment.',
    ),
    allow: impossible('0.61.0: a hook cannot skip the permission dialog; its policy files can.'),
    rewrite: but('0.61.0 replaces the whole input, so the merged one is sent.'),
    context: CONTEXT_IN_REFUSAL,
    halt: but('0.61.0: the tool does not run and the turn ends.'),
  }),
  after_tool: row({
    deny: emulated(
      '0.61.0: the call has happened; the model gets the reason as an error instead of the result.',
    ),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT,
    halt: HALT,
    replaceOutput: emulated('0.61.0: the new output reaches the model as an error that replaces the result.'),
  }),
  after_agent: row({
    deny: but(
      '0.61.0: the reason becomes the next prompt; nothing but a limit of 100 turns ends that, so look at stopHookActive.',
    ),
    ask: ASK_AS_REFUSAL,
    context: CONTEXT_IN_REFUSAL,
    halt: but('0.61.0: ends the turn even if something else refuses to let it end.'),
  }),
  pre_compact: row({
    deny: impossible('0.61.0 fires this before every request, compaction or not, and takes no refusal.'),
  }),
  notification: row({
    deny: impossible('0.61.0 opens its dialog all the same; refuse the tool itself, before it.'),
  }),
  session_end: row(),
  unknown: UNREAD,
};
