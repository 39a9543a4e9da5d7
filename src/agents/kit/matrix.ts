import { EVENT_TYPES, type EventType } from '../../model/events.ts';
import { EFFECTS, type Effect } from '../../model/responses.ts';
import type { Agent, Support } from '../agent.ts';

/** What one agent makes of one effect on one event. */
interface MatrixCell extends Support {
  readonly agent: string;
  readonly event: EventType;
  readonly effect: Effect;
}

/** Event × effect × agent, for the events that the agent has. */
export function matrixCells(agents: readonly Agent[]): MatrixCell[] {
  return agents.flatMap((agent) =>
    EVENT_TYPES.flatMap((event) => {
      const row = agent.supports[event];
      if (!row) return [];
      return EFFECTS.map((effect) => ({
        agent: agent.id,
        event,
        effect,
        ...(row[effect] ?? { level: 'none' as const }),
      }));
    }),
  );
}
