import { isDeepStrictEqual } from 'node:util';
import type { EventOf, HookEvent } from '../../model/events.ts';
import type { NativeAnswer } from '../../model/native.ts';
import type { HookResponse } from '../../model/responses.ts';
import { type AnswerDraft, type AnswerForm, hookAnswers } from '../kit/hook-answers.ts';
import { REFUSAL } from '../refusals.ts';
import { type NativeEvent, payloads } from './decode.ts';

const STOP: AnswerForm = { refusal: 'block', context: 'in-refusal', systemMessage: true };
const TODO: AnswerForm = { refusal: 'block', context: 'in-refusal' };

/** What 0.24.4 reads in the answer to each event. */
const FORMS: Readonly<Record<NativeEvent, AnswerForm>> = {
  SessionStart: { context: 'own', systemMessage: true },
  SessionEnd: {},
  InstructionsLoaded: {},
  UserPromptSubmit: { refusal: 'block', context: 'unless-refused', halt: 'refuse', systemMessage: true },
  UserPromptExpansion: { refusal: 'block', context: 'unless-refused', systemMessage: true },
  PermissionRequest: { refusal: 'dialog', context: 'in-refusal' },
  // It reads `additionalContext` here nowhere, and ends no turn: `continue: false` refuses this one call.
  PreToolUse: { refusal: 'permission', context: 'in-refusal', systemMessage: true },
  // `decision: "block"` does nothing here; `continue: false` puts its text in the place of the result.
  PostToolUse: { refusal: 'stop', context: 'own', systemMessage: true },
  PostToolUseFailure: { context: 'own', systemMessage: true },
  PostToolBatch: { refusal: 'block', context: 'own', systemMessage: true },
  Stop: STOP,
  SubagentStart: {},
  SubagentStop: STOP,
  PreCompact: { context: 'own' },
  Notification: {},
  TodoCreated: TODO,
  TodoCompleted: TODO,
  MessageDisplay: {},
};

/** Exit code 2 with JSON, or with nothing on stderr, runs the tool (0.24.4): a refusal is JSON and exit code 0. */
const refusedByBlock: NativeAnswer = {
  action: 'json_output',
  stdout_json: { decision: 'block', reason: REFUSAL },
};

export const refusals: Readonly<Record<string, NativeAnswer>> = {
  PreToolUse: refusedByBlock,
  UserPromptSubmit: refusedByBlock,
  UserPromptExpansion: refusedByBlock,
  PermissionRequest: {
    action: 'json_output',
    stdout_json: {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: REFUSAL },
      },
    },
  },
};

/** Answers as 0.24.4 honours them on each event. */
export const { formOf, encode } = hookAnswers({
  payloads,
  forms: FORMS,
  guards: (event) => Object.hasOwn(refusals, event),
  fill(draft, event, response) {
    if (event.type === 'permission_request') answerDialog(event, response, draft);
    else draft.refuseUnlessAllowed(response, hasHappened(event));
    if (event.type === 'before_tool') refuseOriginal(event, response, draft);
    endTurn(event, response, draft);
    // Only a prompt of the user's takes context with it: the others have none to add it to.
    if (event.type !== 'before_model') draft.addContext(response);
    draft.addMessage(response);
    if (event.type === 'after_tool') replaceOutput(response, draft);
  },
});

function hasHappened({ type }: HookEvent): boolean {
  return type === 'after_tool' || type === 'post_tool_batch';
}

/** The dialog is the one place that takes a permission and changed arguments. */
function answerDialog(
  { tool }: EventOf<'permission_request'>,
  response: HookResponse,
  draft: AnswerDraft,
): void {
  const { decision, modifyArgs } = response;
  if (decision === 'deny') {
    draft.refuse(draft.refusalText(response));
    draft.deliver('deny');
  } else if (decision === 'ask') {
    // Silence leaves the dialog to the user.
    draft.deliver('ask');
  } else if (decision === 'allow' && tool.kind === 'question') {
    draft.drop('allow', 'A question needs an answer, not a permission: the user is still asked.');
  } else if (decision === 'allow') {
    // The arguments replace the whole input.
    const changed = modifyArgs ? { updatedInput: { ...tool.input, ...modifyArgs } } : {};
    draft.own.decision = { behavior: 'allow', ...changed };
    draft.deliver('allow', 'rewrite');
  }
}

/** No arguments are taken here, so that the model is asked to call again with the changed ones. */
function refuseOriginal({ tool }: EventOf<'before_tool'>, response: HookResponse, draft: AnswerDraft): void {
  const changed = { ...tool.input, ...response.modifyArgs };
  if (draft.refused || response.decision === 'deny' || isDeepStrictEqual(changed, tool.input)) return;
  draft.refuseInstead('rewrite');
  draft.refuse(
    `The arguments of this call have to change. Call ${tool.nativeName} with ${JSON.stringify(changed)}`,
  );
}

/** A prompt that is refused ends the turn, also the empty one between two requests to the model. */
function endTurn({ type }: HookEvent, response: HookResponse, draft: AnswerDraft): void {
  if (type !== 'before_agent' && type !== 'before_model') return;
  draft.halt(response);
  if (response.halt !== undefined && draft.refused) draft.deliver('halt');
}

/** The text of `continue: false` stands in the place of the result. */
function replaceOutput({ replaceOutput: wanted }: HookResponse, draft: AnswerDraft): void {
  if (wanted === undefined || draft.refused) return;
  if (draft.form.refusal !== 'stop') {
    draft.drop('replaceOutput', 'The output of a failed call cannot be replaced.');
    return;
  }
  draft.refuse(typeof wanted === 'string' ? wanted : JSON.stringify(wanted));
  draft.deliver('replaceOutput');
}
