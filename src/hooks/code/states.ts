import type { HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import { BoundedMap } from '../../platform/bounded.ts';

/** State that hooks keep for a session, while the daemon runs. */
export interface SessionStates {
  get(hook: string, event: HookEvent): Record<string, unknown>;
  set(hook: string, event: HookEvent, state: unknown): void;
}

const MAX_STATES = 500;
const MAX_STATE_CHARS = 64 << 10;

export function createStates(): SessionStates {
  const states = new BoundedMap<string, Record<string, unknown>>(MAX_STATES);
  const key = (hook: string, { source, sessionId }: HookEvent) => JSON.stringify([hook, source, sessionId]);
  return {
    get: (hook, event) => states.get(key(hook, event)) ?? {},
    set(hook, event, state) {
      const at = key(hook, event);
      states.delete(at);
      if (!isObject(state) || Object.keys(state).length === 0) return;
      if (size(state) > MAX_STATE_CHARS) throw new Error('it keeps too much in session.state');
      states.set(at, state);
    },
  };
}

function size(state: Record<string, unknown>): number {
  try {
    return JSON.stringify(state).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
