import type { Agent } from '../../agents/agent.ts';
import { type Scope, type SetupContext, scopesOf } from '../../agents/setup/setup.ts';
import { HooklineError } from '../../model/errors.ts';

/**
 * The scopes in which an agent's settings have Hookline, each file once: in the home directory two scopes are the same
 * file. If Hookline is installed as a plugin or an extension, the first scope.
 */
export function hookedContexts(
  agent: Pick<Agent, 'setup'>,
  contextOf: (scope: Scope) => SetupContext,
): readonly SetupContext[] {
  const seen = new Set<string>();
  const contexts = scopesOf(agent.setup).map(contextOf);
  const hooked = contexts.filter((context) => {
    const files = filesWithOurs(agent, context).filter((path) => !seen.has(path));
    for (const path of files) seen.add(path);
    return files.length > 0;
  });
  // A plugin or extension that the agent installed is in none of its settings.
  const isWrapped = (context: SetupContext) => (agent.setup.wrapper?.hooksPath(context) ?? null) !== null;
  return hooked.length > 0 ? hooked : contexts.slice(0, 1).filter(isWrapped);
}

/** An unreadable file counts as empty; `inspect` reports it. */
function filesWithOurs({ setup }: Pick<Agent, 'setup'>, context: SetupContext): readonly string[] {
  try {
    return setup.planRemoval(context).map(({ path }) => path);
  } catch (error) {
    if (error instanceof HooklineError) return [];
    throw error;
  }
}
