import type { EventType } from '../../model/events.ts';
import {
  type Degradation,
  type Effect,
  EXTRA_EFFECTS,
  type ExtraEffect,
  effectsOf,
  type HookResponse,
} from '../../model/responses.ts';
import { LazyMap } from '../../platform/bounded.ts';
import { type Agent, supportOf } from '../agent.ts';

const NOTHING: readonly Degradation[] = [];

/** Keeps account of an answer while it is built: which effects it delivers, and why it does not deliver others. */
export class Delivery {
  // Lists and a map that is made late: most answers deliver one effect or none.
  readonly #delivered: (Effect | ExtraEffect)[] = [];
  readonly #reasons = new LazyMap<Degradation['effect'], string>();
  readonly #refusedInstead: Effect[] = [];

  deliver(...effects: readonly (Effect | ExtraEffect)[]): void {
    this.#delivered.push(...effects);
  }

  /** Why an effect is not delivered, where the note in the table of supports is not the whole reason. */
  drop(effect: Degradation['effect'], reason: string): void {
    this.#reasons.set(effect, reason);
  }

  /** The agent cannot do it, and the call is refused in its place. */
  refuseInstead(effect: Effect): void {
    this.#refusedInstead.push(effect);
  }

  /**
   * Everything the response asks for that the answer does not deliver as asked. `context` is in it only if the model
   * gets none of it, so that it can be kept for a later event.
   */
  degradations(
    agent: Pick<Agent, 'supports' | 'label'>,
    type: EventType,
    response: HookResponse,
  ): readonly Degradation[] {
    const missing = effectsOf(response).filter(
      (effect) => !this.#delivered.includes(effect) && !isEmpty(response, effect),
    );
    const degraded: Degradation[] = missing.map((effect) => ({
      effect,
      reason:
        this.#reasons.get(effect) ??
        supportOf(agent, type, effect).note ??
        `"${effect}" was not delivered to ${agent.label} on ${type}.`,
      ...(this.#refusedInstead.includes(effect) ? { instead: 'deny' } : {}),
    }));
    const native = this.#reasons.get('native');
    return [
      ...degraded,
      ...this.#extraDegradations(agent, type, response),
      ...(native === undefined ? [] : [{ effect: 'native' as const, reason: native }]),
    ];
  }

  #extraDegradations(
    { label }: Pick<Agent, 'label'>,
    type: EventType,
    response: HookResponse,
  ): readonly Degradation[] {
    if (!EXTRA_EFFECTS.some((effect) => response[effect])) return NOTHING;
    const reasons: Readonly<Record<ExtraEffect, string>> = {
      triggerAction: `${label} has no action "${response.triggerAction}" on ${type}.`,
      suppressOutput: `${label} cannot hide its answer on ${type}.`,
    };
    return EXTRA_EFFECTS.filter((effect) => response[effect] && !this.#delivered.includes(effect)).map(
      (effect) => ({
        effect,
        reason: this.#reasons.get(effect) ?? reasons[effect],
      }),
    );
  }
}

/** An empty text, list or object is present but asks for nothing. */
function isEmpty(response: HookResponse, effect: Effect): boolean {
  switch (effect) {
    case 'context':
    case 'systemMessage':
      return response[effect] === '';
    case 'rewrite':
      return Object.keys(response.modifyArgs ?? {}).length === 0;
    case 'grants':
      return response.grants?.length === 0;
    case 'env':
    case 'llmRequest':
    case 'llmResponse':
    case 'toolConfig':
      return Object.keys(response[effect] ?? {}).length === 0;
    default:
      return false;
  }
}
