import { MOST_UNLOCK_MINUTES } from '../model/people/unlocked.ts';

/**
 * The period in which protected rules are paused. It exists only in the daemon's memory: anyone with write access to
 * the home could forge a file. It ends with the daemon.
 */
export interface Unlock {
  /** In ms since the epoch; null while nothing is paused. */
  until(): number | null;
  open(minutes: number): number;
  close(): void;
  /** Called after each `open` and `close`. Observers follow the clock for the expiry. */
  subscribe(listener: () => void): () => void;
}

export function createUnlock(now: () => number): Unlock {
  const listeners = new Set<() => void>();
  let end: number | null = null;

  function set(next: number | null): void {
    end = next;
    for (const listener of listeners) listener();
  }

  return {
    until: () => (end !== null && end > now() ? end : null),
    open(minutes) {
      const until = now() + Math.min(minutes, MOST_UNLOCK_MINUTES) * 60_000;
      set(until);
      return until;
    },
    close: () => set(null),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** For surfaces: when protected rules apply again; null while they do. */
export function unlockedUntil(unlock: Unlock): string | null {
  const until = unlock.until();
  return until === null ? null : new Date(until).toISOString();
}
