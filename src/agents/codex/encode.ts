import type { EventOf } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import type { NativeAnswer } from '../../model/native.ts';
import type { HookResponse } from '../../model/responses.ts';
import { type AnswerDraft, type AnswerForm, type HookAnswers, hookAnswers } from '../kit/hook-answers.ts';
import { refusedByExit } from '../refusals.ts';
import { encodeApproval, isMessage } from './app-server/index.ts';
import { type NativeEvent, payloads } from './decode.ts';

/**
 * A text without a visible character counts as none, and a refusal without a reason is void (0.166.0). JavaScript does
 * not count the next-line character as a space, Rust does.
 */
function isBlank(text: string): boolean {
  return !/[^\s\u0085]/.test(text);
}

const STOP: AnswerForm = { refusal: 'block', context: 'in-refusal', halt: 'wins', systemMessage: true };

/**
 * What Codex 0.166.0 reads in the answer to each event. Its parser is strict: anything else voids the whole answer, and
 * then the thing that was to be stopped happens.
 */
const FORMS: Readonly<Record<NativeEvent, AnswerForm>> = {
  SessionStart: { context: 'own', halt: 'turn', systemMessage: true, needsOwn: true },
  UserPromptSubmit: { refusal: 'block', context: 'unless-refused', halt: 'turn', systemMessage: true },
  // Whatever these two print is ignored or an error.
  PreModelRequest: {},
  PostModelRequest: {},
  // `continue: false` voids the answer on both, so that only a refusal is left to keep the turn from going on.
  PreToolUse: { refusal: 'permission', context: 'own', halt: 'refuse', systemMessage: true },
  PermissionRequest: { refusal: 'dialog', context: 'in-refusal', halt: 'refuse', systemMessage: true },
  PostToolUse: { refusal: 'block', context: 'own', systemMessage: true },
  PreCompact: { refusal: 'stop', halt: 'turn', systemMessage: true },
  PostCompact: { systemMessage: true },
  // `continue: false` is accepted and has no effect.
  SubagentStart: { context: 'own', systemMessage: true, needsOwn: true },
  SubagentStop: STOP,
  Stop: STOP,
  Interrupt: { systemMessage: true },
  SessionEnd: {},
};

// Exit code 2 refuses only with a text (0.166.0).
export const refusals: Readonly<Record<string, NativeAnswer>> = refusedByExit([
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
]);

const answers = hookAnswers({
  payloads,
  forms: FORMS,
  guards: (event) => Object.hasOwn(refusals, event),
  // Half a surrogate pair makes the whole answer unreadable (0.166.0).
  clean: (text) => text.toWellFormed(),
  isBlank,
  always(draft, { native }) {
    const fields = Object.keys(native?.codex ?? {}).join(', ');
    if (fields !== '')
      draft.drop('native', `Codex takes no fields of its own, and with ${fields} no answer.`);
  },
  fill(draft, event, response) {
    if (event.type === 'before_tool') beforeTool(event, response, draft);
    else if (event.type === 'permission_request') permissionRequest(response, draft);
    else draft.refuseUnlessAllowed(response, event.type === 'after_tool');
    if (draft.halt(response)) draft.deliver('halt');
    draft.addContext(response);
    draft.addMessage(response);
    if (event.type === 'after_tool') replaceOutput(response, draft);
  },
});

export const { formOf } = answers;

/** Encodes a response as 0.166.0 takes it on this event. Never throws. */
export const encode: HookAnswers<AnswerForm>['encode'] = (agent, event, response, env) =>
  isMessage(event.native) ? encodeApproval(event, response) : answers.encode(agent, event, response, env);

function beforeTool(event: EventOf<'before_tool'>, response: HookResponse, draft: AnswerDraft): void {
  const { decision, modifyArgs } = response;
  if (decision === 'deny' || decision === 'ask') {
    draft.refuse(draft.refusalText(response));
    if (decision === 'deny') draft.deliver('deny');
  }
  // Where nothing is ever asked, silence is all the permission there is. Elsewhere a request for approval may follow.
  const silenceAllows = event.permissionMode === 'bypassPermissions' && response.halt === undefined;
  if (decision === 'allow' && silenceAllows) draft.deliver('allow');
  if (!modifyArgs || Object.keys(modifyArgs).length === 0) return;
  if (draft.refused || response.halt !== undefined) {
    draft.drop('rewrite', 'The call is denied, so there is nothing to change.');
    return;
  }
  const input = readableInput({ ...event.tool.input, ...modifyArgs });
  if (!isObject(input) || (takesCommand(event.tool.nativeName) && typeof input.command !== 'string')) {
    // An answer that the client cannot use is not an answer, and the original call would run.
    draft.drop('rewrite', "Codex doesn't accept these arguments, so the call is denied.");
    draft.refuse('The arguments were to be changed, but not in a way that Codex can use.');
    return;
  }
  // Only these two together change the input. This "allow" skips nothing: the client asks for approval of the
  // changed call as it would have of the original one (0.166.0, tried).
  draft.own.permissionDecision = 'allow';
  draft.own.updatedInput = input;
  draft.deliver('rewrite');
}

function takesCommand(nativeName: string): boolean {
  return nativeName === 'Bash' || nativeName === 'apply_patch';
}

/** Arguments that the client's parser takes, or null: it gives up beyond 128 levels. */
function readableInput(input: Readonly<Record<string, unknown>>): unknown {
  const wellFormed = (value: unknown, depth: number): unknown => {
    if (depth > 100) throw new RangeError('too deep');
    if (typeof value === 'string') return value.toWellFormed();
    if (Array.isArray(value)) return value.map((item) => wellFormed(item, depth + 1));
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, item]) => [key.toWellFormed(), wellFormed(item, depth + 1)]),
    );
  };
  try {
    return wellFormed(input, 0);
  } catch {
    return null;
  }
}

function permissionRequest(response: HookResponse, draft: AnswerDraft): void {
  const { decision, modifyArgs } = response;
  const changes = modifyArgs !== undefined && Object.keys(modifyArgs).length > 0;
  if (decision === 'deny') {
    draft.refuse(draft.refusalText(response));
    draft.deliver('deny');
  } else if (decision !== 'none' && response.halt !== undefined) {
    draft.drop(decision, 'The turn is ending, so the call is denied.');
  } else if (decision === 'ask') {
    // The prompt that is about to open is the question: silence leaves it to the user.
    draft.deliver('ask');
  } else if (decision === 'allow' && changes) {
    // The changed call was allowed, and here only the original one can be.
    draft.drop('allow', 'A changed call was allowed; the original one is left to the user.');
  } else if (decision === 'allow') {
    draft.own.decision = { behavior: 'allow' };
    draft.deliver('allow');
  }
}

/** The client replaces an output by the reason of a refusal. */
function replaceOutput({ replaceOutput: output }: HookResponse, draft: AnswerDraft): void {
  if (output === undefined) return;
  if (draft.refused) {
    draft.drop('replaceOutput', 'The reason of the denial replaced the output.');
    return;
  }
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  draft.refuse(isBlank(text) ? 'The output was withheld by Hookline.' : text);
  draft.deliver('replaceOutput');
}
