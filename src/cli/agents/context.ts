import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { type Scope, type SetupContext, scopesOf } from '../../agents/setup/setup.ts';
import type { Config } from '../../home/config.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import type { HomePaths } from '../../home/paths.ts';
import { usage } from '../command.ts';
import { agentContext } from './agent-context.ts';
import { agentCalled, unknownAgent } from './agent-name.ts';

/** Facts about this machine that the setup commands pass to an agent. */
export function setupContext(
  paths: HomePaths,
  scope: Scope,
  events: readonly string[] = [],
  config: Config = configInForce(paths),
): SetupContext {
  return agentContext(paths, scope, config, events);
}

/** Returns the agent with this name. */
export function agentNamed(name: string | undefined, command: string): Agent {
  if (name === undefined) {
    throw usage(command, `Missing agent. Use one of: ${[...AGENTS.keys()].join(', ')}.`);
  }
  const agent = agentCalled(name);
  if (agent) return agent;
  throw unknownAgent(name);
}

/** Returns the scope with this name, or the agent's first one. */
export function scopeNamed(name: string | undefined, { id, setup }: Agent, command: string): Scope {
  const scopes = scopesOf(setup);
  const scope = name === undefined ? scopes[0] : scopes.find((one) => one === name);
  if (scope) return scope;
  throw usage(command, `--scope of ${id} is ${scopes.join(' or ')}, not "${name}".`);
}
