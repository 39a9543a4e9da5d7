import type { HookEvent } from '../../model/events.ts';
import type { HookResponse } from '../../model/responses.ts';
import { type AnswerDraft, type AnswerForm, hookAnswers } from '../kit/hook-answers.ts';
import { sessionEnvLines } from '../kit/session-env.ts';
import { refusedByExit } from '../refusals.ts';
import { type NativeEvent, payloads } from './decode.ts';

/**
 * What 0.225.2 reads in the answer to each event. All refusals are exit code 2: of several hooks the first in the file
 * that names a decision in JSON decides, so that another hook's "allow" would cancel ours; the exit code always counts.
 */
const FORMS: Readonly<Record<NativeEvent, AnswerForm>> = {
  SessionStart: { context: 'own' },
  SessionEnd: {},
  UserPromptSubmit: { refusal: 'exit', context: 'unless-refused', halt: 'refuse' },
  // `additionalContext` is read here nowhere; `continue: false` comes before every decision.
  PreToolUse: { refusal: 'exit', context: 'in-refusal', halt: 'wins' },
  PostToolUse: { context: 'own', halt: 'turn', systemMessage: true },
  Stop: { refusal: 'exit', context: 'in-refusal', systemMessage: true },
  SubagentStop: {},
  PreCompact: { refusal: 'exit' },
  Notification: {},
};

export const refusals = refusedByExit(['PreToolUse', 'UserPromptSubmit']);

/** Answers as 0.225.2 honours them on each event. */
export const { formOf, encode } = hookAnswers({
  payloads,
  forms: FORMS,
  guards: (event) => Object.hasOwn(refusals, event),
  fill(draft, event, response, env) {
    draft.refuseUnlessAllowed(response, false);
    if (draft.halt(response)) draft.deliver('halt');
    else if (event.type === 'before_agent' && response.halt !== undefined) draft.deliver('halt');
    permit(draft, event, response);
    draft.addContext(event.type === 'after_tool' ? commented(response) : response);
    addMessage(draft, response);
    if (event.type !== 'session_start') return [];
    return sessionEnvLines(draft, response, { env, variable: 'CLAUDE_ENV_FILE' });
  },
});

/** A call that has happened cannot be refused: the model reads why it should not have. */
function commented(response: HookResponse): HookResponse {
  const { decision, reason, context } = response;
  if (decision !== 'deny' && decision !== 'ask') return response;
  return { decision, context: [reason || 'Refused by Hookline.', context].filter(Boolean).join('\n\n') };
}

/** A permission and changed arguments; a part of them is enough, because they are merged into the call's own. */
function permit(draft: AnswerDraft, { type }: HookEvent, response: HookResponse): void {
  if (draft.refused || draft.top.continue === false) return;
  const { decision, modifyArgs = {} } = response;
  if (type === 'before_tool' && decision === 'allow') draft.own.permissionDecision = 'allow';
  const changes = type === 'before_tool' ? modifyArgs : type === 'before_agent' ? promptIn(modifyArgs) : {};
  if (Object.keys(changes).length === 0) return;
  draft.own.updatedInput = changes;
  draft.deliver('rewrite');
}

/** The one argument that a prompt has. */
function promptIn({ prompt }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return typeof prompt === 'string' && prompt !== '' ? { prompt } : {};
}

function addMessage(draft: AnswerDraft, response: HookResponse): void {
  if (!draft.isExit) draft.addMessage(response);
  else if (response.systemMessage)
    draft.drop('systemMessage', 'An answer by exit code has no room for a message.');
}
