import { type Agent, type BlindSpot, emulated, impossible, type Supports } from '../agent.ts';
import {
  askAsRefusal,
  contextInRefusal,
  messageLost,
  nativeBut,
  supportRows,
  UNREAD,
} from '../kit/support-rows.ts';

/** What the client can do with each effect on each event: all seen in the version given, or read in its code. */
export function supportsOf(version: string): Supports {
  const notes = notesOf(version);
  const { row, toast, env } = notes;
  const watched = row({ systemMessage: toast, env });
  const ended = impossible(`${version} has given the result of a subagent to the model by then.`);
  return {
    ...promptRows(version, notes),
    ...callRows(version, notes),
    session_start: watched,
    stop: row({
      deny: nativeBut(
        `${version}: the reason is sent as the next prompt. Nothing but the rule ends the loop.`,
      ),
      ask: askAsRefusal(version),
      context: contextInRefusal(version),
      systemMessage: toast,
    }),
    stop_failure: row(),
    subagent_start: watched,
    subagent_stop: row({ deny: ended, ask: ended, systemMessage: toast, env }),
    pre_compact: row({
      deny: impossible(`${version} would end the whole turn with an error.`),
      context: nativeBut(`${version}: goes into the request for the summary.`),
      systemMessage: toast,
    }),
    post_compact: watched,
    session_end: row(),
    unknown: UNREAD,
  };
}

/** What several rows say. */
function notesOf(version: string) {
  const noModelHooks = impossible(
    `${version}: what the model is asked is not sent to Hookline, keys are in it.`,
  );
  return {
    row: supportRows(version, {
      systemMessage: messageLost(version),
      grants: impossible(
        `${version}: permissions to remember are in its settings, which a plugin does not write.`,
      ),
      env: impossible(`${version} runs no command after this event that the answer could reach.`),
      llmRequest: noModelHooks,
      llmResponse: noModelHooks,
      toolConfig: noModelHooks,
    }),
    toast: nativeBut(`${version}: a notice in its terminal; nothing of it is seen in \`run\`.`),
    env: nativeBut(`${version}: for the commands that follow in this process.`),
  };
}

type Notes = ReturnType<typeof notesOf>;

function promptRows(version: string, { row, toast, env }: Notes) {
  const context = nativeBut(`${version}: a part of the prompt that is not shown.`);
  const ask = askAsRefusal(version);
  return {
    before_agent: row({
      deny: nativeBut(
        `${version}: the prompt is not sent, and the reason is not shown; \`run\` says that something failed.`,
      ),
      ask,
      context,
      systemMessage: toast,
      halt: emulated(`${version}: the prompt is denied, so no turn begins.`),
      env,
    }),
    user_prompt_expansion: row({
      deny: nativeBut(`${version}: commands in the file of a /command have run by then.`),
      ask,
      context,
      systemMessage: toast,
      env,
    }),
  };
}

function callRows(version: string, { row, toast, env }: Notes) {
  const inRefusal = contextInRefusal(version);
  return {
    permission_request: row({
      deny: nativeBut(
        `${version}: the model reads the reason. In \`run\` the client has refused by itself by then.`,
      ),
      ask: emulated(`${version}: without an answer it asks the user itself.`),
      allow: nativeBut(`${version}: in \`run\` only a permission counts that was given before the call.`),
      context: inRefusal,
    }),
    before_tool: row({
      deny: nativeBut(`${version}: the reason is the result that the model reads.`),
      ask: emulated(`${version} asks only if its settings say so; the call is denied with the reason.`),
      allow: nativeBut(
        `${version}: its own question is answered; a call that its settings deny stays denied.`,
      ),
      rewrite: nativeBut(`${version}: the conversation shows the changed call as if the model had made it.`),
      context: inRefusal,
      systemMessage: toast,
      halt: nativeBut(`${version}: the session is aborted; \`run\` ends with exit code 1.`),
      env,
    }),
    after_tool: row({
      deny: emulated(`${version}: the call has run; the reason replaces the result, unless the call failed.`),
      ask: emulated(
        `${version}: asking isn’t possible here; the reason replaces the result, unless the call failed.`,
      ),
      context: nativeBut(`${version}: added to the result; not after a call that failed.`),
      systemMessage: toast,
      replaceOutput: nativeBut(`${version}: not after a call that failed.`),
      env,
    }),
  };
}

export function blindSpotsOf(version: string): readonly BlindSpot[] {
  return [
    {
      tools: ['Bash'],
      all: false,
      note: `${version}: a command that the user types after ! runs without a hook.`,
    },
    {
      tools: ['Bash'],
      all: false,
      note: `${version}: commands in the file of a /command run before any hook.`,
    },
    { tools: ['Read'], all: false, note: `${version}: a file that a prompt names is read without a hook.` },
    { tools: null, all: false, note: `${version}: formatters and language servers run without a hook.` },
  ];
}

/** Arguments of 1.18.33, and of Kilo 7.7.9. */
export const readingTools: NonNullable<Agent['readingTools']> = {
  Read: { at: 'contents', below: false, path: ['filePath'], pattern: [], others: ['offset', 'limit'] },
  Grep: {
    at: 'contents',
    below: true,
    path: ['path'],
    pattern: ['include'],
    others: ['pattern', 'context', 'limit', 'literal', 'ignoreCase'],
  },
  Glob: { at: 'names', below: false, path: ['path'], pattern: ['pattern'], others: [] },
};
