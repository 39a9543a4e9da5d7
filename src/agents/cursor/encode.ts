import { isDeepStrictEqual } from 'node:util';
import type { EventOf, HookEvent } from '../../model/events.ts';
import type { NativeAnswer } from '../../model/native.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { Agent, Encoded } from '../agent.ts';
import { Delivery } from '../kit/delivery.ts';
import { REFUSAL } from '../refusals.ts';
import { type NativeEvent, payloads } from './decode.ts';

/** What the executor in 1.0.32 reads in the answer to one event. */
interface Form {
  /** `permission: "deny"`, `continue: false`, or a message with which the agent continues. */
  readonly refusal?: 'permission' | 'continue' | 'followup';
  /** `permission: "ask"` is acted on. */
  readonly asks?: true;
  /** `in-refusal`: the model sees nothing but the reason of a refusal. */
  readonly context?: 'own' | 'in-refusal';
  readonly env?: true;
}

const FORMS: Readonly<Record<NativeEvent, Form>> = {
  sessionStart: { context: 'own', env: true },
  sessionEnd: {},
  beforeSubmitPrompt: { refusal: 'continue', context: 'own' },
  preToolUse: { refusal: 'permission', context: 'own' },
  postToolUse: { context: 'own' },
  postToolUseFailure: { context: 'own' },
  beforeShellExecution: { refusal: 'permission', asks: true, context: 'in-refusal' },
  beforeMCPExecution: { refusal: 'permission', asks: true, context: 'in-refusal' },
  stop: { refusal: 'followup', context: 'in-refusal' },
  subagentStart: { refusal: 'permission', context: 'in-refusal' },
  subagentStop: { refusal: 'followup', context: 'in-refusal' },
  preCompact: {},
};

export function formOf(nativeEvent: string): Form | null {
  return payloads.isName(nativeEvent) ? FORMS[nativeEvent] : null;
}

export const refusals: Readonly<Record<string, NativeAnswer>> = Object.fromEntries(
  (['preToolUse', 'beforeSubmitPrompt', 'beforeShellExecution', 'beforeMCPExecution'] as const).map(
    (event) => [event, { action: 'json_output', stdout_json: refusal(FORMS[event], REFUSAL) }],
  ),
);

/** The model reads the text for the user (1.0.32); the other is for versions that tell them apart. */
function refusal({ refusal: kind }: Form, text: string): Record<string, unknown> {
  if (kind === 'permission') return { permission: 'deny', user_message: text, agent_message: text };
  if (kind === 'continue') return { continue: false, user_message: text };
  return kind === 'followup' ? { followup_message: text } : {};
}

/** An answer while it is built. */
class Draft extends Delivery {
  readonly top: Record<string, unknown> = {};
  readonly form: Form;
  refused = false;

  constructor(form: Form) {
    super();
    this.form = form;
  }

  refuse(text: string): void {
    Object.assign(this.top, refusal(this.form, text));
    this.refused = this.form.refusal !== undefined;
  }
}

/** Answers as 1.0.32 honours them on each event. Never throws. */
export function encode(
  agent: Pick<Agent, 'label' | 'supports'>,
  event: HookEvent,
  response: HookResponse,
): Encoded {
  const draft = new Draft(formFor(event));
  decide(event, response, draft);
  if (event.type === 'before_tool') rewrite(event, response, draft);
  endTurn(event, response, draft);
  addContext(event, response, draft);
  if (draft.form.env && Object.keys(response.env ?? {}).length > 0) {
    draft.top.env = response.env;
    draft.deliver('env');
  }
  if (Object.keys(draft.top).length === 0) draft.deliver('suppressOutput');
  const degraded = draft.degradations(agent, event.type, response);
  // Never nothing at all: where an entry is set to fail closed, an empty stdout is a failure.
  return { answer: { action: 'json_output', stdout_json: draft.top }, degraded, appends: [] };
}

/** A payload that could not be read is refused only where something can still be kept from happening. */
function formFor(event: HookEvent): Form {
  if (event.type !== 'unknown') return formOf(event.nativeEvent) ?? {};
  const name = payloads.nameOf({ event: event.nativeEvent, payload: event.native }) ?? '';
  return event.problem !== null && Object.hasOwn(refusals, name) ? (formOf(name) ?? {}) : {};
}

const CHECKED: ReadonlySet<HookEvent['type']> = new Set(['before_tool', 'permission_request', 'unknown']);

function decide(event: HookEvent, response: HookResponse, draft: Draft): void {
  const { decision } = response;
  if (decision === 'allow') {
    // Its own check comes after this, whatever a hook says.
    if (!CHECKED.has(event.type)) draft.deliver('allow');
    return;
  }
  if (decision === 'ask' && draft.form.asks) {
    const text = reasonOf(response, draft);
    Object.assign(draft.top, { permission: 'ask', user_message: text, agent_message: text });
    draft.deliver('ask');
    return;
  }
  const isUnread = event.type === 'unknown' && decision !== 'deny';
  if (decision === 'none' || isUnread || draft.form.refusal === undefined) return;
  draft.refuse(reasonOf(response, draft));
  if (decision === 'deny') draft.deliver('deny');
}

/** The reason, with the context: a refusal is all that the model sees of an answer. */
function reasonOf({ reason, context }: HookResponse, draft: Draft): string {
  const text = reason || 'Refused by Hookline.';
  if (!context) return text;
  if (draft.form.refusal === 'continue') {
    draft.drop('context', 'The prompt is not sent, and nothing goes to the model without it.');
    return text;
  }
  draft.deliver('context');
  return `${text}\n\n${context}`;
}

/** What of a call's arguments is taken over (1.0.32); an MCP tool takes all. */
const CHANGEABLE: Readonly<Record<string, readonly string[]>> = {
  Bash: ['command', 'cwd'],
  Read: ['file_path'],
  Delete: ['file_path'],
  Ls: ['file_path'],
  Grep: ['pattern', 'file_path'],
  Write: ['file_path'],
};

function rewrite({ tool }: EventOf<'before_tool'>, response: HookResponse, draft: Draft): void {
  const { modifyArgs = {}, decision } = response;
  const changed = { ...tool.input, ...modifyArgs };
  if (draft.refused || decision === 'deny' || isDeepStrictEqual(changed, tool.input)) return;
  const taken = CHANGEABLE[tool.name] ?? [];
  if (tool.mcp !== null || Object.keys(modifyArgs).every((name) => taken.includes(name))) {
    draft.top.updated_input = modifyArgs;
    draft.deliver('rewrite');
    return;
  }
  // It would run with the arguments that it has, so that the model is asked to call again with the changed ones.
  draft.refuseInstead('rewrite');
  draft.refuse(
    `The arguments of this call have to change. Call ${tool.nativeName} with ${JSON.stringify(changed)}`,
  );
}

/** A prompt that is refused ends the turn. */
function endTurn({ type }: HookEvent, { halt }: HookResponse, draft: Draft): void {
  if (halt === undefined || type !== 'before_agent') return;
  if (!draft.refused) draft.refuse(halt || 'Halted by Hookline.');
  draft.refuseInstead('halt');
  draft.deliver('halt');
}

function addContext({ type }: HookEvent, response: HookResponse, draft: Draft): void {
  if (draft.form.context !== 'own' || draft.refused) return;
  const { decision, reason, context } = response;
  const isComment = type === 'after_tool' && (decision === 'deny' || decision === 'ask');
  const text = isComment ? [reason || 'Refused by Hookline.', context].filter(Boolean).join('\n\n') : context;
  if (!text) return;
  draft.top.additional_context = text;
  draft.deliver('context');
}
