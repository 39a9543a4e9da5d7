import { isDeepStrictEqual } from 'node:util';
import type { EventOf, HookEvent } from '../../model/events.ts';
import type { NativeAnswer } from '../../model/native.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { ToolRequest } from '../agent.ts';
import { renamed } from '../kit/dialect.ts';
import { type AnswerDraft, type AnswerForm, hookAnswers } from '../kit/hook-answers.ts';
import { REFUSAL } from '../refusals.ts';
import { NAMES, type NativeEvent, PATCH, payloads } from './decode.ts';

interface Form extends AnswerForm {
  /** Fields of a text that only this client has. */
  readonly texts?: readonly string[];
}

const STOP: Form = { refusal: 'block', context: 'in-refusal' };

/** What 1.0.102 reads in the answer to each event, all of it at the top. */
const FORMS: Readonly<Record<NativeEvent, Form>> = {
  SessionStart: { context: 'own' },
  UserPromptSubmit: {
    refusal: 'block',
    context: 'unless-refused',
    halt: 'refuse',
    texts: ['modifiedPrompt'],
  },
  PreToolUse: { refusal: 'permission', context: 'own', halt: 'refuse' },
  PermissionRequest: { refusal: 'dialog', context: 'in-refusal' },
  PostToolUse: { refusal: 'block', context: 'own' },
  PostToolUseFailure: { context: 'own' },
  Stop: STOP,
  SubagentStart: { context: 'own' },
  SubagentStop: { ...STOP, texts: ['modifiedResponse'] },
  PreCompact: {},
  Notification: {},
  ErrorOccurred: {},
  SessionEnd: {},
};

const json = (stdout_json: Readonly<Record<string, unknown>>): NativeAnswer => ({
  action: 'json_output',
  stdout_json,
});

/** For every event and every exit code but 0 the client has a meaning of its own: it must be told about no decision, too. */
export const NO_OPINION: Readonly<Record<string, never>> = {};

/** As refusals are JSON with exit code 0: the model reads no stderr (1.0.102). */
export const REFUSALS = {
  PreToolUse: { permissionDecision: 'deny', permissionDecisionReason: REFUSAL },
  UserPromptSubmit: { decision: 'block', reason: REFUSAL },
  PermissionRequest: { behavior: 'deny', message: REFUSAL },
} as const;

export const refusals: Readonly<Record<string, NativeAnswer>> = Object.fromEntries(
  Object.entries(REFUSALS).map(([event, answer]) => [event, json(answer)]),
);

/** Answers as 1.0.102 honours them on each event. */
export const { formOf, encode } = hookAnswers({
  payloads,
  forms: FORMS,
  flat: true,
  silence: () => json(NO_OPINION),
  guards: (event) => Object.hasOwn(refusals, event),
  fill(draft, event, response) {
    switch (event.type) {
      case 'before_tool':
        beforeTool(event, response, draft);
        break;
      case 'permission_request':
        answerDialog(event, response, draft);
        break;
      case 'after_tool':
        afterTool(response, draft);
        break;
      default:
        draft.refuseUnlessAllowed(response, false);
    }
    endTurn(event, response, draft);
    if (event.type !== 'after_tool' || !draft.refused) draft.addContext(response);
    addFields(response, draft);
  },
});

/** The one event that takes a permission and changed arguments. */
function beforeTool(event: EventOf<'before_tool'>, response: HookResponse, draft: AnswerDraft): void {
  const { decision, reason } = response;
  if (decision === 'deny') {
    draft.refuse(draft.refusalText(response));
    draft.deliver('deny');
    return;
  }
  rewrite(event, response, draft);
  if (decision === 'allow' && isAmbiguous(event.tool)) {
    draft.drop('allow', 'Its name does not say for sure whose tool it is; its permission request does.');
    return;
  }
  if (draft.refused || (decision !== 'ask' && decision !== 'allow')) return;
  draft.own.permissionDecision = decision;
  if (reason) draft.own.permissionDecisionReason = reason;
  draft.deliver(decision);
}

/** With several hyphens the name of the MCP server is ambiguous: a permission might be for another server's tool. */
function isAmbiguous({ kind, nativeName }: EventOf<'before_tool'>['tool']): boolean {
  return kind === 'mcp' && nativeName.split('-').length > 2;
}

/** The arguments replace all others. A patch is a text, in which no other argument has a place. */
function rewrite({ tool }: EventOf<'before_tool'>, { modifyArgs }: HookResponse, draft: AnswerDraft): void {
  const changed = { ...tool.input, ...modifyArgs };
  if (isDeepStrictEqual(changed, tool.input)) return;
  const input = nativeInput(changed);
  if (Object.hasOwn(tool.input, PATCH) && typeof input !== 'string') {
    draft.refuseInstead('rewrite');
    draft.drop('rewrite', 'A patch has no arguments except its text, so the call is denied.');
    draft.refuse(`The arguments of this call have to change: ${JSON.stringify(modifyArgs)}`);
    return;
  }
  draft.own.modifiedArgs = input;
  draft.deliver('rewrite');
}

/**
 * It comes also where every call is permitted without a prompt, and does not say so (1.0.102): to leave a
 * question to the client would be to let the call run.
 */
function answerDialog(
  { tool }: EventOf<'permission_request'>,
  response: HookResponse,
  draft: AnswerDraft,
): void {
  const { decision, halt, modifyArgs } = response;
  if (halt !== undefined || decision === 'deny' || decision === 'ask') {
    const isRefused = decision === 'deny' || decision === 'ask';
    const reasons = [...(isRefused ? [draft.refusalText(response)] : []), ...(halt ? [halt] : [])];
    draft.refuse(reasons.join('\n'));
    if (decision === 'deny') draft.deliver('deny');
  } else if (decision === 'allow' && !isDeepStrictEqual({ ...tool.input, ...modifyArgs }, tool.input)) {
    draft.drop('allow', 'The permission is for other arguments, and none are taken here.');
  } else if (decision === 'allow') {
    draft.answerDialog({ behavior: 'allow' });
    draft.deliver('allow');
  }
}

/** A refused result is replaced by the reason, and everything else in the answer is lost with it (1.0.102). */
function afterTool(response: HookResponse, draft: AnswerDraft): void {
  const { decision, replaceOutput: output } = response;
  if (decision === 'allow') draft.deliver('allow');
  if (draft.form.refusal === undefined) return;
  if (decision === 'deny' || decision === 'ask') {
    const context = response.context ? `\n\n${response.context}` : '';
    draft.refuse(`${response.reason || 'Refused by Hookline.'}${context}`);
    draft.deliver('context');
    draft.drop('replaceOutput', 'The reason of the denial replaces the result.');
  } else if (output !== undefined) {
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    draft.own.modifiedResult = { resultType: 'success', textResultForLlm: text };
    draft.deliver('replaceOutput');
  }
}

/** A refused permission may end the turn; a prompt that is refused begins none. */
function endTurn({ type }: HookEvent, response: HookResponse, draft: AnswerDraft): void {
  if (response.halt === undefined) return;
  if (type === 'permission_request') draft.own.interrupt = true;
  else draft.halt(response);
  if (type === 'permission_request' || type === 'before_agent') draft.deliver('halt');
}

function addFields({ native }: HookResponse, draft: AnswerDraft): void {
  const { texts = [] } = formOf(draft.nativeEvent) ?? {};
  draft.addFields(native?.copilot, (key, value) =>
    texts.includes(key) && typeof value === 'string' && !draft.refused ? draft.top : null,
  );
}

/** Arguments as the client has them: those of a patch are its text. */
export function nativeInput(input: Readonly<Record<string, unknown>>): unknown {
  const { [PATCH]: patch, ...others } = input;
  return typeof patch === 'string' && Object.keys(others).length === 0 ? patch : input;
}

/** Arguments of canonical tools that the client calls by another word. */
export const WORDS: Readonly<Record<string, string>> = {
  file_path: 'path',
  content: 'file_text',
  old_string: 'old_str',
  new_string: 'new_str',
};

/** What the client would send before a call of this tool. */
export function toolPayload({ id, tool, input, cwd }: ToolRequest): unknown {
  return {
    hook_event_name: 'PreToolUse',
    session_id: id,
    timestamp: new Date(0).toISOString(),
    cwd,
    tool_name: NAMES.native(NAMES.canonical(tool)),
    tool_input: nativeInput(renamed(input, WORDS)),
  };
}
