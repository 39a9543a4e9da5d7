import { AGENTS } from '../agents/_registry.ts';
import type { Agent } from '../agents/agent.ts';

/** Whom a caller speaks for that names no agent of ours. */
interface Caller {
  /** What a dispatcher script calls the agent; null where it does not say. */
  readonly source: string | null;
  readonly event: string | null;
}

/** The agent behind a call: by the source, else by the event; undefined for an unknown source. */
export function agentOf({ source, event }: Caller): Agent | undefined {
  if (source !== null && source !== '') return bySource(source);
  const unnamed = bySource('');
  // Those that dispatcher scripts know, the one that is meant by silence first: others have events of the same names, and
  // scripts always name those that they pass through as they are.
  const scripted = [...AGENTS.values()].filter(({ dispatcher }) => dispatcher?.answer !== undefined);
  const inOrder = unnamed ? [unnamed, ...scripted] : scripted;
  return inOrder.find(({ dialect }) => event !== null && dialect?.events.includes(event)) ?? unnamed;
}

function bySource(source: string): Agent | undefined {
  return [...AGENTS.values()].find(({ dispatcher }) => dispatcher?.sources.includes(source));
}
