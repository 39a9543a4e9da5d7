import type { EventOf, HookEvent } from '../../model/events.ts';
import { type FileAppend, type NativeAnswer, PASSTHROUGH } from '../../model/native.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { Agent, Encoded } from '../agent.ts';
import { Delivery } from './delivery.ts';
import type { HookPayloads } from './hook-payloads.ts';

/** How an event is refused. */
type Refusal =
  /** `hookSpecificOutput.permissionDecision`, which may also be ask and allow. */
  | 'permission'
  /** `hookSpecificOutput.decision.behavior`, in answer to a permission dialog. */
  | 'dialog'
  /** Top-level `decision: "block"` with a `reason`. */
  | 'block'
  /** Top-level `decision: "deny"` with a `reason`. */
  | 'deny'
  /** `continue: false`, where that keeps the thing from happening. */
  | 'stop'
  /** `hookSpecificOutput.action: "decline"`. */
  | 'decline'
  /** Exit code 2 and stderr, where no JSON is known to work. */
  | 'exit';

/** What a client reads in the answer to one event. Whatever is absent it ignores or rejects. */
export interface AnswerForm {
  readonly refusal?: Refusal;
  /**
   * `own`: as `additionalContext`. `unless-refused`: the same, but a refusal drops it together with the prompt.
   * `in-refusal`: the model sees nothing but the reason of a refusal.
   */
  readonly context?: 'own' | 'unless-refused' | 'in-refusal';
  /** `turn`: `continue: false`. `wins`: the same, and it overrides a refusal. `refuse`: only by refusing. */
  readonly halt?: 'turn' | 'wins' | 'refuse';
  readonly systemMessage?: true;
  /** An answer without `hookSpecificOutput` is invalid. */
  readonly needsOwn?: true;
}

/** What differs between the clients that read `hookSpecificOutput`. */
interface AnswerClient {
  /** False where the client does not look for its event's name in `hookSpecificOutput`. */
  readonly namesEvent?: false;
  /** True where everything stands at the top of the answer, and nothing in `hookSpecificOutput`. */
  readonly flat?: true;
  /** True where the client takes `suppressOutput` in an answer. */
  readonly hidesOutput?: true;
  /** What it treats as no decision; nothing on stdout unless given. */
  silence?(event: HookEvent): NativeAnswer;
  /** A text as the client's parser takes it. */
  clean?(text: string): string;
  /** A text that the client takes for none. */
  isBlank?(text: string): boolean;
  /** The text of a refusal by exit code. */
  stderr?(text: string): string;
}

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

/** An answer while it is built. */
export class AnswerDraft extends Delivery {
  readonly nativeEvent: string;
  readonly form: AnswerForm;
  /** Keys of the answer itself. */
  readonly top: Record<string, unknown> = {};
  /** Keys of its `hookSpecificOutput`. */
  readonly own: Record<string, unknown> = {};
  readonly #client: AnswerClient;
  #stderr: string | null = null;
  #refused = false;

  constructor(client: AnswerClient, nativeEvent: string, form: AnswerForm) {
    super();
    this.#client = client;
    this.nativeEvent = nativeEvent;
    this.form = form;
  }

  /** What was asked about will not happen. */
  get refused(): boolean {
    return this.#refused;
  }

  /** The whole answer is an exit code and a text, so that no key of it is read. */
  get isExit(): boolean {
    return this.#stderr !== null;
  }

  /** Refuses in the form of the event; does nothing where that has none. */
  refuse(text: string): void {
    const reason = this.#readable(text, 'Refused by Hookline.');
    switch (this.form.refusal) {
      case 'permission':
        this.own.permissionDecision = 'deny';
        this.own.permissionDecisionReason = reason;
        break;
      case 'dialog':
        // Not `reason`: the model would see only that permission was denied.
        this.answerDialog({ behavior: 'deny', message: reason });
        break;
      case 'block':
      case 'deny':
        this.top.decision = this.form.refusal;
        this.top.reason = reason;
        break;
      case 'stop':
        this.top.continue = false;
        this.top.stopReason = reason;
        break;
      case 'decline':
        this.own.action = 'decline';
        break;
      case 'exit':
        this.#stderr = this.#client.stderr?.(reason) ?? reason;
        break;
      case undefined:
        return;
    }
    this.#refused = true;
  }

  /** The answer to a permission dialog. */
  answerDialog(answer: Readonly<Record<string, unknown>>): void {
    if (this.#client.flat) Object.assign(this.own, answer);
    else this.own.decision = answer;
  }

  /** The reason of a refusal, with the context where the model sees nothing else. */
  refusalText(response: HookResponse): string {
    const reason = this.#readable(response.reason ?? '', 'Refused by Hookline.');
    if (this.form.context !== 'in-refusal' || !response.context) return reason;
    this.deliver('context');
    return `${reason}\n\n${response.context}`;
  }

  /** For events that go ahead unless they are refused. What has `happened` can only be commented on. */
  refuseUnlessAllowed(response: HookResponse, happened: boolean): void {
    const { decision } = response;
    if (decision === 'allow') this.deliver('allow');
    if (decision === 'none' || decision === 'allow' || this.form.refusal === undefined) return;
    if (this.form.halt === 'wins' && response.halt !== undefined) {
      this.drop(decision, 'The turn is ending, which overrides a denial in this agent.');
      return;
    }
    this.refuse(this.refusalText(response));
    if (decision === 'deny' && !happened) this.deliver('deny');
  }

  /** Ends the turn. False where the event has no way to, and where only the call could be refused. */
  halt(response: HookResponse): boolean {
    if (response.halt === undefined || this.form.halt === undefined) return false;
    const reason = this.#readable(response.halt, 'Halted by Hookline.');
    if (this.form.halt === 'refuse') {
      if (!this.#refused) this.refuse(reason);
      this.refuseInstead('halt');
      return false;
    }
    const refusal = this.top.stopReason;
    this.top.continue = false;
    this.top.stopReason = typeof refusal === 'string' ? `${refusal}\n${reason}` : reason;
    return true;
  }

  addContext({ context }: HookResponse): void {
    if (!context || this.form.context === undefined || this.form.context === 'in-refusal') return;
    if (this.form.context === 'unless-refused' && (this.#refused || this.top.continue === false)) {
      this.drop('context', 'The prompt is not sent, and nothing goes to the model without it.');
      return;
    }
    this.own.additionalContext = this.#clean(context);
    this.deliver('context');
  }

  addMessage({ systemMessage }: HookResponse): void {
    if (!systemMessage || !this.form.systemMessage) return;
    this.top.systemMessage = this.#clean(systemMessage);
    this.deliver('systemMessage');
  }

  /** Hides what is shown of the answer; one without anything in it shows nothing. */
  hide({ suppressOutput }: HookResponse): void {
    if (suppressOutput !== true) return;
    const isSilent = isEmpty(this.top) && isEmpty(this.own);
    if (this.isExit || (!isSilent && !this.#client.hidesOutput)) return;
    if (!isSilent) this.top.suppressOutput = true;
    this.deliver('suppressOutput');
  }

  /** Fields that only this client has, each put where `place` says; null for what it would not read. */
  addFields(
    fields: Readonly<Record<string, unknown>> = NO_FIELDS,
    place: (key: string, value: unknown) => Record<string, unknown> | null,
  ): void {
    if (fields === NO_FIELDS) return;
    const rejected = Object.entries(fields).filter(([key, value]) => {
      const target = place(key, value);
      if (target) target[key] = value;
      return target === null;
    });
    const names = rejected.map(([key]) => key).join(', ');
    if (names !== '') this.drop('native', `${this.nativeEvent} does not take ${names} as given.`);
  }

  /** What the client prints; what the answer does not deliver is for `degradations`. */
  answer(event: HookEvent): NativeAnswer {
    if (this.#stderr !== null) return { action: 'block_with_stderr', stderr: this.#stderr };
    const hasOwn = !isEmpty(this.own);
    if (!hasOwn && isEmpty(this.top)) return this.#client.silence?.(event) ?? PASSTHROUGH;
    if (this.#client.flat) return { action: 'json_output', stdout_json: { ...this.top, ...this.own } };
    if (!hasOwn && !this.form.needsOwn) return { action: 'json_output', stdout_json: this.top };
    const name = this.#client.namesEvent === false ? {} : { hookEventName: this.nativeEvent };
    return {
      action: 'json_output',
      stdout_json: { ...this.top, hookSpecificOutput: { ...name, ...this.own } },
    };
  }

  #clean(text: string): string {
    return this.#client.clean?.(text) ?? text;
  }

  #readable(text: string, otherwise: string): string {
    return (this.#client.isBlank?.(text) ?? text === '') ? otherwise : this.#clean(text);
  }
}

/** Most have no key at all: to tell that takes no list of them. */
function isEmpty(keys: Readonly<Record<string, unknown>>): boolean {
  for (const _ in keys) return false;
  return true;
}

/** A client's answers: what it reads on each event, and what it takes beyond that. */
interface AnswerTable<N extends string, F extends AnswerForm> extends AnswerClient {
  readonly payloads: Pick<HookPayloads<N>, 'isName' | 'nameOf'>;
  readonly forms: Readonly<Record<N, F>>;
  /** Can something still be kept from happening on this event when its payload cannot be read? */
  guards(nativeEvent: string): boolean;
  /** What is done on every event, also where the payload could not be read. */
  always?(draft: AnswerDraft, response: HookResponse): void;
  /** Puts a response into the draft, and returns what goes to files. */
  fill(
    draft: AnswerDraft,
    event: HookEvent,
    response: HookResponse,
    env: Env,
  ): readonly FileAppend[] | undefined;
}

type Env = Readonly<Record<string, string>>;

export interface HookAnswers<F extends AnswerForm> {
  /** What is read on an event, or null for one that this version does not have. */
  formOf(nativeEvent: string): F | null;
  /** Never throws. The agent is asked for the notes of what it cannot do. */
  encode(agent: Documented, event: HookEvent, response: HookResponse, env: Env): Encoded;
}

type Documented = Pick<Agent, 'label' | 'supports'>;

export function hookAnswers<N extends string, F extends AnswerForm>(
  client: AnswerTable<N, F>,
): HookAnswers<F> {
  const { payloads, forms, fill } = client;
  const formOf = (nativeEvent: string) => (payloads.isName(nativeEvent) ? forms[nativeEvent] : null);
  return {
    formOf,
    encode(agent, event, response, env) {
      const isUnread = event.type === 'unknown';
      const draft = isUnread
        ? unreadDraft(client, event)
        : new AnswerDraft(client, event.nativeEvent, formOf(event.nativeEvent) ?? {});
      client.always?.(draft, response);
      if (isUnread && response.decision === 'deny') draft.refuse(draft.refusalText(response));
      if (isUnread && draft.refused) draft.deliver('deny');
      const appends = isUnread ? [] : (fill(draft, event, response, env) ?? []);
      draft.hide(response);
      const degraded = draft.degradations(agent, event.type, response);
      return { answer: draft.answer(event), degraded, appends };
    },
  };
}

/** The draft for a payload that could not be read: refuses only where the event guards something. */
function unreadDraft<N extends string>(
  client: AnswerTable<N, AnswerForm>,
  { nativeEvent, native, problem }: EventOf<'unknown'>,
): AnswerDraft {
  const { payloads, forms, guards } = client;
  const name = payloads.nameOf({ event: nativeEvent, payload: native });
  if (name === null) return new AnswerDraft(client, nativeEvent, {});
  const guarded = problem !== null && payloads.isName(name) && guards(name);
  return new AnswerDraft(client, name, guarded ? forms[name] : {});
}
