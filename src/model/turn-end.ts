import { type HookEvent, sessionKey } from './events.ts';
import type { Opinion } from './recording.ts';

/** Limit after which an agent that can't comply may end its turn. */
export const REFUSALS_PER_TURN = 3;
const REMEMBERED_TURNS = 500;

/** How often the end of a turn may still be denied. */
export interface TurnEndBudget {
  /** Counts one denial; false if this turn has none left. Always true for events that end no turn. */
  spend(event: HookEvent): boolean;
}

export function createTurnEndBudget(): TurnEndBudget {
  const turns = new Map<string, { readonly prompt: number; readonly refused: number }>();
  return {
    spend(event) {
      if (!('stopHookActive' in event)) return true;
      const key = `${sessionKey(event)}\0${event.agentId ?? ''}`;
      const known = turns.get(key);
      const refused = known?.prompt === event.promptNumber ? known.refused : 0;
      if (refused === REFUSALS_PER_TURN) return false;
      turns.delete(key);
      turns.set(key, { prompt: event.promptNumber, refused: refused + 1 });
      const [oldest] = turns.keys();
      if (turns.size > REMEMBERED_TURNS && oldest !== undefined) turns.delete(oldest);
      return true;
    },
  };
}

/** A denial of the turn end beyond the limit: recorded, but the turn ends. */
export function spent(refusal: Opinion, times: number): Opinion {
  const problem = `Hookline already kept this turn from ending ${times === 1 ? 'once' : `${times} times`}`;
  return { ...refusal, observing: true, spent: true, problem };
}
