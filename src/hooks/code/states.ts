import type { HookEvent } from '../../model/events.ts';

/** What hooks keep for a session, while the daemon runs. */
export interface SessionStates {
  get(hook: string, event: HookEvent): Record<string, unknown>;
  set(hook: string, event: HookEvent, state: unknown): void;
}

const MAX_STATES = 500;
const MAX_STATE_CHARS = 64 << 10;

export function createStates(): SessionStates {
  const states = new Map<string, Record<string, unknown>>();
  const key = (hook: string, { source, sessionId }: HookEvent) => JSON.stringify([hook, source, sessionId]);
  return {
    get: (hook, event) => states.get(key(hook, event)) ?? {},
    set(hook, event, state) {
      const at = key(hook, event);
      states.delete(at);
      if (!isRecord(state) || Object.keys(state).length === 0) return;
      if (size(state) > MAX_STATE_CHARS) throw new Error('it keeps too much in session.state');
      states.set(at, state);
      // The oldest goes first: a map remembers the order in which it was filled.
      const [oldest] = states.keys();
      if (states.size > MAX_STATES && oldest !== undefined) states.delete(oldest);
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function size(state: Record<string, unknown>): number {
  try {
    return JSON.stringify(state).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
