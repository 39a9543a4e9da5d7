import type { HookEvent } from '../../../model/events.ts';
import { type NativeAnswer, PASSTHROUGH } from '../../../model/native.ts';
import type { Effect, HookResponse } from '../../../model/responses.ts';
import type { Agent, Encoded } from '../../agent.ts';
import { REFUSAL } from '../../refusals.ts';
import { Delivery } from '../delivery.ts';
import type { HookPayloads } from '../hook-payloads.ts';
import type { Instructions } from './instructions.ts';

/** What a host can carry out in answer to one event. Whatever is absent it cannot. */
export interface ShimForm {
  /**
   * How a refusal is carried out. `refuse`: it does not happen. `replace`: it has happened, and the reason stands in the
   * place of the result. `prompt`: the turn continues with the reason. `reject`: the client's own question is answered.
   */
  readonly refusal?: 'refuse' | 'replace' | 'prompt' | 'reject';
  /**
   * `open`: the client's own question stays open, for the user to answer. `dialog`: the host asks in a dialog of the
   * client's. Else a refusal says that a person must decide.
   */
  readonly ask?: 'open' | 'dialog';
  /** The client's own question for permission is answered, now or when it comes. Else silence lets it happen. */
  readonly allow?: 'reply';
  /** `refuse`: they cannot be changed, so that the call is refused. */
  readonly args?: true | 'refuse';
  /**
   * `append`: added to what the model reads, and to the reason of a refusal. `in-refusal`: the latter only.
   * `unless-refused`: the former only, where the model does not read the reason.
   */
  readonly context?: 'append' | 'in-refusal' | 'unless-refused';
  readonly replace?: true;
  /** `abort`: the turn ends. `refuse`: only this prompt or call is refused. */
  readonly halt?: 'abort' | 'refuse';
  readonly env?: true;
  readonly toast?: true;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Instructions while they are built. */
class ShimDraft extends Delivery {
  readonly out: Writable<Instructions> = {};
  readonly #form: ShimForm;
  #refused = false;

  constructor(form: ShimForm) {
    super();
    this.#form = form;
  }

  refuse(reason: string): void {
    const text = reason === '' ? 'Refused by Hookline.' : reason;
    switch (this.#form.refusal) {
      case 'refuse':
      case 'replace':
      case 'prompt':
        this.out[this.#form.refusal] = text;
        break;
      case 'reject':
        this.out.reply = { answer: 'reject', message: text };
        break;
      case undefined:
        return;
    }
    this.#refused = true;
  }

  decide(response: HookResponse): void {
    const { decision } = response;
    if (decision === 'none') return;
    if (decision === 'ask' && this.#form.ask === 'open') {
      this.deliver('ask');
      return;
    }
    if (decision === 'allow') {
      if (this.#form.allow === 'reply') this.out.reply = { answer: 'once' };
      this.deliver('allow');
      return;
    }
    if (this.#form.refusal === undefined) return;
    if (decision === 'ask' && this.#form.ask === 'dialog') {
      this.add('ask', { ask: response.reason || 'Hookline asks for your permission.' });
      return;
    }
    this.refuse(this.#reasonWithContext(response));
    if (this.#form.refusal === 'replace') return;
    if (decision === 'deny') this.deliver('deny');
    else this.refuseInstead('ask');
  }

  /** The model reads nothing but the reason of what is refused. */
  #reasonWithContext({ reason = '', context }: HookResponse): string {
    if (!context || this.#form.context === undefined || this.#form.context === 'unless-refused')
      return reason;
    this.deliver('context');
    return `${reason}\n\n${context}`.trim();
  }

  halt({ halt }: HookResponse): void {
    if (halt === undefined || this.#form.halt === undefined) return;
    const reason = halt === '' ? 'Halted by Hookline.' : halt;
    if (this.#form.halt === 'abort') {
      this.out.abort = reason;
      this.deliver('halt');
      return;
    }
    if (!this.#refused) this.refuse(reason);
    this.refuseInstead('halt');
  }

  change({ modifyArgs, context, replaceOutput }: HookResponse): void {
    if (modifyArgs !== undefined && this.#form.args) this.#changeArguments(modifyArgs);
    if (context && this.#form.context !== 'in-refusal' && this.#form.context) this.#addContext(context);
    if (replaceOutput !== undefined && this.#form.replace) {
      if (this.#refused) this.drop('replaceOutput', 'The reason of the denial replaces the result.');
      else this.add('replaceOutput', { replace: textOf(replaceOutput) });
    }
  }

  #changeArguments(args: Readonly<Record<string, unknown>>): void {
    if (this.#refused) {
      this.drop('rewrite', 'The call is denied, so nothing runs with other arguments.');
    } else if (this.#form.args === true) {
      this.add('rewrite', { args });
    } else if (Object.keys(args).length > 0) {
      this.refuse(`This has to be called with other arguments: ${JSON.stringify(args)}`);
      this.refuseInstead('rewrite');
    }
  }

  #addContext(context: string): void {
    if (!this.#refused) this.add('context', { append: context });
    else if (this.#form.context === 'unless-refused')
      this.drop('context', 'The prompt is not sent, and nothing goes to the model without it.');
  }

  addRest({ systemMessage, env }: HookResponse): void {
    if (systemMessage && this.#form.toast) this.add('systemMessage', { toast: systemMessage });
    if (env && Object.keys(env).length > 0 && this.#form.env) this.add('env', { env });
  }

  add(effect: Effect, more: Instructions): void {
    Object.assign(this.out, more);
    this.deliver(effect);
  }
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Refuses an event that nothing could judge, where the user chose to fail closed. */
export const REFUSED: NativeAnswer = { action: 'json_output', stdout_json: { refuse: REFUSAL } };

/** A client's answers: what its host carries out on each event. */
interface ShimTable<N extends string> {
  readonly payloads: Pick<HookPayloads<N>, 'isName' | 'nameOf'>;
  readonly forms: Readonly<Record<N, ShimForm>>;
  /** By the events that can be refused. */
  readonly refusals: Readonly<Record<string, unknown>>;
}

type Documented = Pick<Agent, 'id' | 'label' | 'supports'>;
type Encode = (agent: Documented, event: HookEvent, response: HookResponse) => Encoded;

/** Never throws. The agent is asked for the notes of what it cannot do. */
export function shimAnswers<N extends string>(table: ShimTable<N>): Encode {
  return (agent, event, response) => {
    const draft = new ShimDraft(formOf(table, event));
    if (event.type !== 'unknown' || response.decision === 'deny') draft.decide(response);
    if (event.type !== 'unknown') {
      draft.halt(response);
      draft.change(response);
      draft.addRest(response);
    }
    const own = Object.keys(response.native?.[agent.id] ?? {});
    if (own.length > 0)
      draft.drop('native', `${agent.label} accepts only instructions, not ${own.join(', ')}.`);
    const isSilent = Object.keys(draft.out).length === 0;
    if (isSilent) draft.deliver('suppressOutput');
    return {
      answer: isSilent ? PASSTHROUGH : { action: 'json_output', stdout_json: { ...draft.out } },
      degraded: draft.degradations(agent, event.type, response),
      appends: [],
    };
  };
}

/** A payload that could not be read can only be refused, and only where something is guarded. */
function formOf<N extends string>({ payloads, forms, refusals }: ShimTable<N>, event: HookEvent): ShimForm {
  const isUnread = event.type === 'unknown';
  const name = isUnread
    ? payloads.nameOf({ event: event.nativeEvent, payload: event.native })
    : event.nativeEvent;
  // A turn that failed has ended, even where the client says so in the same words.
  if (name === null || !payloads.isName(name) || event.type === 'stop_failure') return {};
  if (!isUnread) return forms[name];
  const guarded = event.problem !== null && Object.hasOwn(refusals, name);
  return guarded ? { refusal: forms[name].refusal ?? 'refuse' } : {};
}
