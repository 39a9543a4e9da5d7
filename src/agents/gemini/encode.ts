import type { EventOf, HookEvent } from '../../model/events.ts';
import type { Effect, HookResponse } from '../../model/responses.ts';
import { payloadEventName } from '../_families/hook-payloads.ts';
import { type Encoded, type NativeAnswer, PASSTHROUGH } from '../agent.ts';
import { degradations } from '../degrade.ts';
import { requestChange, syntheticResponse, toolChoice } from './model-api.ts';
import { isNativeEvent } from './names.ts';
import { addNativeFields } from './native-fields.ts';
import { supports } from './supports.ts';

const CLIENT = { label: 'Gemini CLI', supports };

type Env = Readonly<Record<string, string>>;

/** An answer in the making, and the account of what it says. */
export interface Draft {
  /** Keys of the answer itself. */
  readonly top: Record<string, unknown>;
  /** Keys of its `hookSpecificOutput`. The client never looks at a name of the event in there. */
  readonly own: Record<string, unknown>;
  readonly told: Set<Effect>;
  readonly reasons: Map<Effect | 'native', string>;
}

/** Says a response in the words that 0.61.0 honours on this event, and nothing else. Never throws. */
export function encode(event: HookEvent, response: HookResponse, env: Env): Encoded {
  const draft: Draft = { top: {}, own: {}, told: new Set(), reasons: new Map() };
  if (event.type === 'unknown') {
    refuseUnreadable(event, response, draft);
    return finish(event, response, draft);
  }
  haltTurn(event, response, draft);
  decide(event, response, draft, env);
  rewrite(event, response, draft);
  changeModelCall(event, response, draft);
  addContext(event, response, draft);
  addMessage(event, response, draft);
  addNativeFields(event, response, draft);
  return finish(event, response, draft);
}

function finish(event: HookEvent, response: HookResponse, draft: Draft): Encoded {
  return {
    answer: answerOf(event, draft),
    degraded: degradations(CLIENT, event.type, response, draft.told, draft.reasons),
    appends: [],
  };
}

/**
 * Always one JSON object, because with an empty stdout the client reads stderr as the answer. Except where any object
 * is an answer: on a choice of tools even an empty one makes the client send a choice. What we do not know gets
 * nothing either.
 */
function answerOf(event: HookEvent, { top, own }: Draft): NativeAnswer {
  const hasOwn = Object.keys(own).length > 0;
  const empty = !hasOwn && Object.keys(top).length === 0;
  if (empty && (event.type === 'before_tool_selection' || event.type === 'unknown')) return PASSTHROUGH;
  return { action: 'json_output', stdout_json: hasOwn ? { ...top, hookSpecificOutput: own } : top };
}

/** Events that can be refused; on the others the client ignores a decision. */
const REFUSABLE: ReadonlySet<string> = new Set([
  'before_agent',
  'before_model',
  'after_model',
  'before_tool',
  'after_tool',
  'after_agent',
]);

/** What these report cannot be taken back: a refusal is only heard. */
const HAPPENED: ReadonlySet<string> = new Set(['after_tool', 'after_model']);

/** Only these guard something when the payload cannot be read. */
const GUARDS: ReadonlySet<string> = new Set(['BeforeAgent', 'BeforeModel', 'BeforeTool']);

function refuseUnreadable(event: EventOf<'unknown'>, response: HookResponse, draft: Draft): void {
  const name = payloadEventName({ event: event.nativeEvent, payload: event.native }) ?? '';
  if (event.problem === null || response.decision !== 'deny' || !isNativeEvent(name) || !GUARDS.has(name))
    return;
  refuse(draft, response.reason);
  draft.told.add('deny');
}

function haltTurn(event: HookEvent, response: HookResponse, draft: Draft): void {
  if (response.halt === undefined || !REFUSABLE.has(event.type)) return;
  draft.top.continue = false;
  draft.top.stopReason = response.halt || 'Halted by Hookline.';
  draft.told.add('halt');
}

function decide(event: HookEvent, response: HookResponse, draft: Draft, env: Env): void {
  const { decision } = response;
  if (decision === 'allow') {
    if (event.type !== 'before_tool') draft.told.add('allow');
    return;
  }
  if (decision === 'none' || !REFUSABLE.has(event.type)) return;
  if (event.type === 'after_agent' && draft.top.continue === false) {
    draft.reasons.set(decision, 'The turn is to end, and this client lets that win.');
    return;
  }
  if (decision === 'ask' && event.type === 'before_tool' && env.HOOKLINE_ATTENDED === '1') {
    draft.top.decision = 'ask';
    // The dialog shows this text and no other.
    const shown = [response.reason, response.systemMessage].filter(Boolean).join('\n');
    if (shown !== '') draft.top.systemMessage = shown;
    if (response.systemMessage) draft.told.add('systemMessage');
    draft.told.add('ask');
    return;
  }
  refuse(draft, response.reason);
  if (decision === 'deny' && !HAPPENED.has(event.type)) draft.told.add('deny');
}

function refuse(draft: Draft, reason: string | undefined): void {
  draft.top.decision = 'deny';
  draft.top.reason = reason || 'Refused by Hookline.';
}

function rewrite(event: HookEvent, response: HookResponse, draft: Draft): void {
  const changes = response.modifyArgs;
  if (event.type !== 'before_tool' || !changes || Object.keys(changes).length === 0) return;
  if (draft.top.decision === 'deny' || draft.top.continue === false) {
    draft.reasons.set('rewrite', 'The call does not happen, so there is nothing to change.');
    return;
  }
  // The client throws away every argument that is not repeated.
  draft.own.tool_input = { ...event.tool.input, ...changes };
  draft.told.add('rewrite');
}

function changeModelCall(event: HookEvent, response: HookResponse, draft: Draft): void {
  const { llmRequest, llmResponse, toolConfig, replaceOutput } = response;
  if (event.type === 'before_model' && llmRequest) {
    const change = requestChange(llmRequest, event.request);
    if (!change.ok) draft.reasons.set('llmRequest', change.reason);
    else if (Object.keys(change.value).length > 0) {
      draft.own.llm_request = change.value;
      draft.told.add('llmRequest');
    }
  }
  if ((event.type === 'before_model' || event.type === 'after_model') && llmResponse) {
    const original = event.type === 'after_model' ? event.response : null;
    const synthetic = syntheticResponse(llmResponse, original);
    if (!synthetic.ok) draft.reasons.set('llmResponse', synthetic.reason);
    else {
      draft.own.llm_response = synthetic.value;
      if (event.type === 'before_model') {
        // Without a refusal the client calls its model and forgets this answer.
        if (draft.top.decision === undefined) refuse(draft, response.reason || 'Answered without the model.');
        draft.told.add('llmResponse');
      }
    }
  }
  if (event.type === 'before_tool_selection' && toolConfig && Object.keys(toolConfig).length > 0) {
    draft.own.toolConfig = toolChoice(toolConfig);
    draft.told.add('toolConfig');
  }
  if (event.type === 'after_tool' && replaceOutput !== undefined && draft.top.decision === undefined)
    refuse(draft, typeof replaceOutput === 'string' ? replaceOutput : JSON.stringify(replaceOutput));
}

function addContext(event: HookEvent, response: HookResponse, draft: Draft): void {
  if (!response.context) return;
  const refused = draft.top.decision === 'deny';
  switch (event.type) {
    case 'session_start':
      if (event.trigger === 'clear') {
        draft.reasons.set('context', 'After /clear 0.61.0 drops it.');
        return;
      }
      break;
    case 'before_agent':
      if (refused || draft.top.continue === false) {
        draft.reasons.set('context', 'No request goes to the model, and nothing goes to it without one.');
        return;
      }
      break;
    case 'before_tool':
    case 'after_tool':
    case 'after_agent':
      if (draft.top.continue === false) {
        draft.reasons.set('context', 'The turn ends here, and the model is told nothing more.');
        return;
      }
      if (refused) {
        // Nothing but the reason of a refusal reaches the model.
        draft.top.reason = `${draft.top.reason}\n\n${response.context}`;
        draft.told.add('context');
        return;
      }
      if (event.type !== 'after_tool') return;
      break;
    default:
      return;
  }
  draft.own.additionalContext = response.context;
  draft.told.add('context');
}

function addMessage(event: HookEvent, response: HookResponse, draft: Draft): void {
  if (!response.systemMessage || draft.top.systemMessage !== undefined) return;
  if (event.type === 'before_tool_selection' && draft.own.toolConfig === undefined) return;
  draft.top.systemMessage = response.systemMessage;
  draft.told.add('systemMessage');
}
