import type { Agent } from '../../agents/agent.ts';
import { type Scope, type SetupContext, scopesOf } from '../../agents/setup/setup.ts';
import { HooklineError } from '../../model/errors.ts';

/**
 * The scopes in which Hookline is in the settings of an agent, each file once: in the home folder two are the same. The
 * first where it is there as a plugin or an extension.
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
  // A plugin or an extension that the client installed stands in none of its settings.
  const isWrapped = (context: SetupContext) => (agent.setup.wrapper?.hooksPath(context) ?? null) !== null;
  return hooked.length > 0 ? hooked : contexts.slice(0, 1).filter(isWrapped);
}

/** A file that cannot be read has none that count; `inspect` says what is wrong with it. */
function filesWithOurs({ setup }: Pick<Agent, 'setup'>, context: SetupContext): readonly string[] {
  try {
    return setup.planRemoval(context).map(({ path }) => path);
  } catch (error) {
    if (error instanceof HooklineError) return [];
    throw error;
  }
}
