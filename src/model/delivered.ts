import { CALLS_AHEAD, type EventType } from './events.ts';
import type { Decision, Degradation, HookResponse } from './responses.ts';

/**
 * The decision that reached the agent, which determines the outcome of a call. An agent that can't ask gets a denial
 * instead of an ask; anything else that was not delivered is left to the agent.
 */
export function deliveredDecision(
  type: EventType,
  { decision, halt }: Pick<HookResponse, 'decision' | 'halt'>,
  degraded: readonly Degradation[],
): Decision {
  if (degraded.some(({ instead }) => instead === 'deny')) return 'deny';
  const isLost = (effect: string) => degraded.some((one) => one.effect === effect);
  if (halt !== undefined && CALLS_AHEAD.has(type) && !isLost('halt')) return 'deny';
  if (decision === 'none' || !isLost(decision)) return decision;
  return decision === 'ask' && CALLS_AHEAD.has(type) ? 'deny' : 'none';
}
