import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { HooklineError } from '../../model/errors.ts';
import { nearestName } from '../../model/suggestion.ts';

/** The agent that a user means: by its ID or label, in any case, with or without spaces. */
export function agentCalled(name: string): Agent | undefined {
  const typed = plain(name);
  return [...AGENTS.values()].find(({ id, label }) => [id, label].some((one) => plain(one) === typed));
}

export function unknownAgent(name: string): HooklineError {
  const names = [...AGENTS.values()].flatMap(({ id, label }) => [id, label]);
  const near = nearestName(name, names);
  const meant = near === null ? undefined : agentCalled(near)?.id;
  return new HooklineError('AGENT_UNKNOWN', `Unknown agent "${name}".`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Supported agents: ${[...AGENTS.keys()].join(', ')}.`,
  });
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '');
}
