import * as v from 'valibot';
import type { HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import type { NativeAnswer } from '../../model/native.ts';
import { PASSTHROUGH } from '../../model/native.ts';
import { type HookResponse, reasonShown, type ToolConfig } from '../../model/responses.ts';
import { type AnswerDraft, type AnswerForm, hookAnswers } from '../kit/hook-answers.ts';
import { refusedByExit } from '../refusals.ts';
import { NAMES, type NativeEvent, payloads } from './decode.ts';

type Env = Readonly<Record<string, string>>;

/** What 0.61.0 reads in the answer to each event; on those without a refusal it ignores a decision. */
const FORMS: Readonly<Record<NativeEvent, AnswerForm>> = {
  SessionStart: { context: 'own', systemMessage: true },
  BeforeAgent: { refusal: 'deny', context: 'unless-refused', halt: 'turn', systemMessage: true },
  BeforeModel: { refusal: 'deny', halt: 'turn', systemMessage: true },
  BeforeToolSelection: { systemMessage: true },
  AfterModel: { refusal: 'deny', halt: 'turn', systemMessage: true },
  BeforeTool: { refusal: 'deny', halt: 'turn', systemMessage: true },
  AfterTool: { refusal: 'deny', context: 'own', halt: 'turn', systemMessage: true },
  AfterAgent: { refusal: 'deny', halt: 'wins', systemMessage: true },
  PreCompress: { systemMessage: true },
  Notification: { systemMessage: true },
  SessionEnd: { systemMessage: true },
};

// Exit code 2 refuses only with a text (0.61.0).
export const refusals: Readonly<Record<string, NativeAnswer>> = refusedByExit(['BeforeTool', 'BeforeAgent']);

/** Only these guard something when the payload cannot be read. */
const GUARDS: ReadonlySet<string> = new Set<NativeEvent>(['BeforeAgent', 'BeforeModel', 'BeforeTool']);

/** Answers as 0.61.0 honours them on each event. */
export const { formOf, encode } = hookAnswers({
  payloads,
  forms: FORMS,
  hidesOutput: true,
  guards: (event) => GUARDS.has(event),
  namesEvent: false,
  // With an empty stdout the client reads stderr as the answer, so that silence is an empty object. But where a choice
  // of tools is asked for, even that is an answer; and an event that we do not know gets nothing either.
  silence: ({ type }) =>
    type === 'before_tool_selection' || type === 'unknown'
      ? PASSTHROUGH
      : { action: 'json_output', stdout_json: {} },
  fill(draft, event, response, env) {
    if (draft.halt(response)) draft.deliver('halt');
    decide(event, response, draft, env);
    rewrite(event, response, draft);
    changeModelRequest(event, response, draft);
    changeModelResponse(event, response, draft);
    chooseTools(event, response, draft);
    if (event.type === 'after_tool') replaceOutput(response, draft);
    addContext(event, response, draft);
    addMessage(event, response, draft);
    addNativeFields(event, response, draft);
  },
});

function decide(event: HookEvent, response: HookResponse, draft: AnswerDraft, env: Env): void {
  const isCall = event.type === 'before_tool';
  if (isCall && response.decision === 'allow') return;
  if (isCall && response.decision === 'ask' && env.HOOKLINE_ATTENDED === '1') {
    draft.top.decision = 'ask';
    // The dialog shows this text and no other.
    const shown = [reasonShown(response), response.systemMessage].filter(Boolean).join('\n');
    if (shown !== '') draft.top.systemMessage = shown;
    if (response.systemMessage) draft.deliver('systemMessage');
    draft.deliver('ask');
    return;
  }
  draft.refuseUnlessAllowed(response, event.type === 'after_tool' || event.type === 'after_model');
}

function rewrite(event: HookEvent, response: HookResponse, draft: AnswerDraft): void {
  const changes = response.modifyArgs;
  if (event.type !== 'before_tool' || !changes || Object.keys(changes).length === 0) return;
  if (draft.refused || draft.top.continue === false) {
    draft.drop('rewrite', 'The call does not happen, so there is nothing to change.');
    return;
  }
  // The client drops every argument that is not repeated.
  draft.own.tool_input = { ...event.tool.input, ...changes };
  draft.deliver('rewrite');
}

function replaceOutput({ replaceOutput: output }: HookResponse, draft: AnswerDraft): void {
  if (output === undefined || draft.top.decision !== undefined) return;
  draft.refuse(typeof output === 'string' ? output : JSON.stringify(output));
}

function addContext(event: HookEvent, response: HookResponse, draft: AnswerDraft): void {
  if (!response.context) return;
  if (event.type === 'session_start' && event.trigger === 'clear') {
    draft.drop('context', 'After /clear 0.61.0 drops it.');
    return;
  }
  if (event.type === 'before_tool' || event.type === 'after_tool' || event.type === 'after_agent') {
    if (draft.top.continue === false) {
      draft.drop('context', 'The turn ends here, and the model gets nothing more.');
      return;
    }
    if (draft.refused) {
      // Nothing but the reason of a refusal reaches the model.
      draft.top.reason = `${draft.top.reason}\n\n${response.context}`;
      draft.deliver('context');
      return;
    }
  }
  draft.addContext(response);
}

function addMessage(event: HookEvent, response: HookResponse, draft: AnswerDraft): void {
  if (draft.top.systemMessage !== undefined) return;
  if (event.type === 'before_tool_selection' && draft.own.toolConfig === undefined) return;
  draft.addMessage(response);
}

const tailCall = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1)),
  args: v.record(v.string(), v.unknown()),
});

/** Fields that only this client has. They never override a decision. */
function addNativeFields(
  { type }: HookEvent,
  { native, triggerAction }: HookResponse,
  draft: AnswerDraft,
): void {
  const isOpen = draft.top.decision === undefined && draft.top.continue === undefined;
  if (triggerAction === 'clear' && type === 'after_agent') {
    if (isOpen) {
      draft.drop(
        'triggerAction',
        '0.61.0 clears the context only where the turn is ended, or kept from ending.',
      );
    } else {
      draft.own.clearContext = true;
      draft.deliver('triggerAction');
    }
  }
  draft.addFields(Object.hasOwn(native ?? {}, 'gemini') ? native?.gemini : {}, (key, value) => {
    const accepted =
      key === 'clearContext'
        ? // Read only when the turn is ended, or kept from ending.
          type === 'after_agent' && typeof value === 'boolean' && !(isOpen && value)
        : key === 'tailToolCallRequest' && type === 'after_tool' && isOpen && v.is(tailCall, value);
    return accepted ? draft.own : null;
  });
}

// The client's stable form of a model request and response (0.61.0), as it takes them from hooks.

const config = v.object({
  temperature: v.optional(v.number()),
  maxOutputTokens: v.optional(v.number()),
  topP: v.optional(v.number()),
  topK: v.optional(v.number()),
});

const llmRequest = v.strictObject({
  model: v.optional(v.pipe(v.string(), v.minLength(1))),
  // Content in parts would reach the model as "[object Object]".
  messages: v.optional(
    v.array(v.object({ role: v.picklist(['user', 'model', 'system']), content: v.string() })),
  ),
  config: v.optional(v.strictObject(config.entries)),
});

const ending = { finishReason: v.optional(v.string()), index: v.optional(v.number()) };

const fullResponse = v.looseObject({
  candidates: v.pipe(
    v.array(
      v.looseObject({
        ...ending,
        content: v.looseObject({ parts: v.pipe(v.array(v.string()), v.minLength(1)) }),
      }),
    ),
    v.minLength(1),
  ),
  usageMetadata: v.optional(v.unknown()),
});

/** The short form. */
const textResponse = v.looseObject({ text: v.pipe(v.string(), v.minLength(1)) });

const chunk = v.looseObject({
  candidates: v.optional(v.array(v.looseObject(ending))),
  usageMetadata: v.optional(v.unknown()),
});

/** The client forgets every setting that `config` does not repeat, so all of them are sent. */
function changeModelRequest(event: HookEvent, response: HookResponse, draft: AnswerDraft): void {
  if (event.type !== 'before_model' || !response.llmRequest) return;
  const wanted = v.safeParse(llmRequest, response.llmRequest);
  if (!wanted.success) {
    dropInvalid('llmRequest', wanted.issues[0], draft);
    return;
  }
  const current = v.safeParse(config, isObject(event.request) ? event.request.config : undefined);
  const complete = { ...(current.success ? current.output : {}), ...wanted.output.config };
  const change = Object.keys(complete).length > 0 ? { ...wanted.output, config: complete } : wanted.output;
  if (Object.keys(change).length === 0) return;
  draft.own.llm_request = change;
  draft.deliver('llmRequest');
}

/**
 * A response in place of the model's, or of one chunk of it, whose end and usage are repeated because the client takes
 * nothing from the original any more. Only text can be sent: the form has no field for a function call.
 */
function changeModelResponse(event: HookEvent, response: HookResponse, draft: AnswerDraft): void {
  if ((event.type !== 'before_model' && event.type !== 'after_model') || !response.llmResponse) return;
  const full = v.safeParse(fullResponse, response.llmResponse);
  const short = v.safeParse(textResponse, response.llmResponse);
  if (!full.success && !short.success) {
    dropInvalid('llmResponse', full.issues[0], draft);
    return;
  }
  const original = v.safeParse(chunk, event.type === 'after_model' ? event.response : null);
  const { candidates: replaced = [], usageMetadata: used } = original.success ? original.output : {};
  const given = full.success
    ? full.output.candidates
    : [{ content: { parts: [short.success ? short.output.text : ''] } }];
  const candidates = given.map((one, at) => ({
    content: { role: 'model', parts: one.content.parts },
    ...endingOf(replaced[at]),
    ...endingOf(one),
  }));
  const usageMetadata = (full.success ? full.output.usageMetadata : undefined) ?? used;
  draft.own.llm_response = { candidates, ...(usageMetadata === undefined ? {} : { usageMetadata }) };
  if (event.type === 'after_model') return;
  // Without a refusal the client calls its model and forgets this response.
  if (draft.top.decision === undefined) draft.refuse(response.reason || 'Answered without the model.');
  draft.deliver('llmResponse');
}

function endingOf({ finishReason, index }: Readonly<Record<string, unknown>> = {}) {
  return {
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(index === undefined ? {} : { index }),
  };
}

function chooseTools(event: HookEvent, { toolConfig }: HookResponse, draft: AnswerDraft): void {
  if (event.type !== 'before_tool_selection' || !toolConfig || Object.keys(toolConfig).length === 0) return;
  draft.own.toolConfig = toolChoice(toolConfig);
  draft.deliver('toolConfig');
}

/** A choice of tools, by canonical or native names. The model's API takes names only in mode ANY. */
function toolChoice({ mode, allowedFunctionNames = [] }: ToolConfig) {
  const names = mode === 'NONE' ? [] : [...new Set(allowedFunctionNames.map(NAMES.native))];
  return { mode: mode ?? (names.length > 0 ? 'ANY' : 'AUTO'), allowedFunctionNames: names };
}

function dropInvalid(
  field: 'llmRequest' | 'llmResponse',
  issue: v.BaseIssue<unknown>,
  draft: AnswerDraft,
): void {
  const place = v.getDotPath(issue);
  draft.drop(field, `${place === null ? field : `${field}.${place}`} is not what 0.61.0 reads.`);
}
