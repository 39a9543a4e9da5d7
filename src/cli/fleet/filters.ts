import { EVENT_TYPES, type EventType } from '../../model/events.ts';
import type { Decision } from '../../model/responses.ts';
import { agentCalled } from '../agents/agent-name.ts';
import { usage, value } from '../command.ts';

const WITH = 'events and search';

/** Options that filter events of a fleet. */
export const FILTER_OPTIONS = {
  machine: value('NAME|ID', 'Only this machine; the start of its ID is enough.', { of: WITH }),
  type: value('TYPE', 'Only events of this type, such as before_tool.', { of: WITH }),
  decision: value('D', 'Only events answered with deny, ask, allow or none.', { of: WITH }),
  limit: value('N', 'Show at most N, newest first (default: 50 for events, 20 for search).', { of: WITH }),
} as const;

export interface FilterOptions {
  readonly machine?: string;
  readonly agent?: string;
  readonly type?: string;
  readonly decision?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

interface Filters {
  readonly agent?: string;
  readonly type?: EventType;
  readonly decision?: Decision;
}

const DECISIONS: readonly Decision[] = ['deny', 'ask', 'allow', 'none'];

export function filtersOf({ agent, type, decision }: FilterOptions): Filters {
  return {
    ...(agent === undefined ? {} : { agent: agentCalled(agent)?.id ?? agent }),
    ...(type === undefined ? {} : { type: oneOf('type', EVENT_TYPES, type) }),
    ...(decision === undefined ? {} : { decision: oneOf('decision', DECISIONS, decision) }),
  };
}

function oneOf<T extends string>(what: string, known: readonly T[], given: string): T {
  const found = known.find((one) => one === given);
  if (found !== undefined) return found;
  throw usage('fleet', `Unknown ${what} "${given}". Use one of: ${known.join(', ')}.`);
}
