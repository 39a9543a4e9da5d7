import type { EventOf, HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import type { HookResponse } from '../../model/responses.ts';
import { type AnswerDraft, type AnswerForm, hookAnswers } from '../kit/hook-answers.ts';
import { textAt } from '../kit/loose-json.ts';
import { refusedByExit } from '../refusals.ts';
import { type NativeEvent, nativeInput, payloads } from './decode.ts';

// Not `own`: context alone keeps the agent going (1.0.41).
const STOP: AnswerForm = { refusal: 'block', context: 'in-refusal', halt: 'wins' };

/** What 1.0.41 reads in the answer to each event. */
const FORMS: Readonly<Record<NativeEvent, AnswerForm>> = {
  SessionStart: {},
  SessionEnd: {},
  UserPromptSubmit: { refusal: 'block', halt: 'refuse' },
  PreToolUse: { refusal: 'permission', context: 'unless-refused' },
  PermissionDenied: {},
  PostToolUse: { refusal: 'block', context: 'own' },
  PostToolUseFailure: { context: 'own' },
  Stop: STOP,
  StopFailure: {},
  StopCancelled: {},
  Notification: {},
  SubagentStart: {},
  SubagentStop: STOP,
  PreCompact: {},
  PostCompact: {},
};

export const refusals = refusedByExit(['PreToolUse', 'UserPromptSubmit']);

/** Answers as 1.0.41 honours them on each event. */
export const { encode } = hookAnswers({
  payloads,
  forms: FORMS,
  guards: (event) => Object.hasOwn(refusals, event),
  fill(draft, event, response) {
    if (isUngated(event)) return;
    if (event.type === 'before_tool' && response.decision === 'ask' && asksHere(event)) ask(draft, response);
    else draft.refuseUnlessAllowed(response, event.type === 'after_tool');
    if (draft.halt(response) || (event.type === 'before_agent' && response.halt !== undefined))
      draft.deliver('halt');
    if (event.type === 'before_tool') rewrite(draft, event, response);
    if (event.type === 'after_tool') replaceOutput(draft, event, response);
    draft.addContext(response);
  },
});

/** The end of a session; a subagent's task and the news of one in the background, where a refusal is ignored (1.0.41). */
function isUngated({ type, metadata }: HookEvent): boolean {
  const { subagentType, promptId } = metadata;
  const isNews = typeof promptId === 'string' && promptId.startsWith('task-completed-');
  return type === 'session_end' || (type === 'before_agent' && (subagentType !== undefined || isNews));
}

/** In its other modes a call that should be asked about runs (1.0.41), or was never tried. */
function asksHere({ permissionMode }: HookEvent): boolean {
  return permissionMode === 'default' || permissionMode === 'plan';
}

function ask(draft: AnswerDraft, { reason }: HookResponse): void {
  draft.own.permissionDecision = 'ask';
  draft.own.permissionDecisionReason = reason || 'Hookline asks.';
  draft.deliver('ask');
}

/** The arguments replace all of the call's own: a part of them is a refusal (1.0.41). */
function rewrite(
  draft: AnswerDraft,
  { tool }: EventOf<'before_tool'>,
  { modifyArgs = {} }: HookResponse,
): void {
  if (draft.refused || Object.keys(modifyArgs).length === 0) return;
  draft.own.updatedInput = nativeInput(tool, { ...tool.input, ...modifyArgs });
  draft.deliver('rewrite');
}

/** Taken only in the shape of the tool's own result; that of a command has the text that the model reads (1.0.41). */
function replaceOutput(
  draft: AnswerDraft,
  { tool }: EventOf<'after_tool'>,
  { replaceOutput: wanted }: HookResponse,
): void {
  if (wanted === undefined) return;
  if (textAt(tool.response, 'type') !== 'Bash') {
    draft.drop('replaceOutput', '1.0.41: only the output of a command is known to be replaced.');
    return;
  }
  const text = typeof wanted === 'string' ? wanted : JSON.stringify(wanted);
  draft.own.updatedToolOutput = {
    ...(isObject(tool.response) ? tool.response : {}),
    output: [...Buffer.from(text)],
    output_for_prompt: text,
  };
  draft.deliver('replaceOutput');
}
