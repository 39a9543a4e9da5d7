import type { Call } from '../model/native.ts';
import type { Agent } from './agent.ts';

/**
 * The agent that made a call. Some also call the hooks in another agent's settings, with payloads of their own and
 * without a notion of the other's answers: a refusal in the words of the agent that is named would be lost on them.
 */
export function callerOf(
  agents: ReadonlyMap<string, Agent>,
  { agent, payload }: Pick<Call, 'agent' | 'payload'>,
): Agent | undefined {
  const named = agents.get(agent);
  if (named === undefined || named.sends?.(payload)) return named;
  for (const one of agents.values()) if (one.sends?.(payload)) return one;
  return named;
}
