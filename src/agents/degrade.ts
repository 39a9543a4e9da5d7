import type { EventType } from '../model/events.ts';
import { type Degradation, type Effect, effectsOf, type HookResponse } from '../model/responses.ts';
import { type Agent, supportOf } from './agent.ts';

/**
 * Everything a response asked for that the encoder did not say the way it was asked. The encoder names what it said
 * (`told`) and, where the table's note is not the whole story, why it did not (`reasons`).
 *
 * `context` is in the result only if the model gets none of it, so that it can be kept for a later event.
 */
export function degradations(
  agent: Pick<Agent, 'supports' | 'label'>,
  type: EventType,
  response: HookResponse,
  told: ReadonlySet<Effect>,
  reasons: ReadonlyMap<Effect | 'native', string>,
): Degradation[] {
  const degraded: Degradation[] = [];
  for (const effect of effectsOf(response)) {
    if (told.has(effect) || asksForNothing(response, effect)) continue;
    const reason = reasons.get(effect) ?? supportOf(agent, type, effect).note;
    degraded.push({ effect, reason: reason ?? `${agent.label} was not told "${effect}" on ${type}.` });
  }
  const native = reasons.get('native');
  if (native !== undefined) degraded.push({ effect: 'native', reason: native });
  return degraded;
}

/** An empty text, list or object is present but wants nothing. */
function asksForNothing(response: HookResponse, effect: Effect): boolean {
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
