import type { Hook } from './hook.ts';

/** How a hook has fared since the daemon started. */
export interface Health {
  readonly runs: number;
  readonly failures: number;
  readonly lastProblem: string | null;
  /** In ms since the epoch; null when it is not paused. */
  readonly pausedUntil: number | null;
}

interface Record {
  runs: number;
  failures: number;
  inARow: number;
  lastProblem: string | null;
  pausedUntil: number | null;
}

const FAILURES_TO_PAUSE = 5;
const PAUSE_MS = 10 * 60_000;

/** Remembers how hooks fare. One that fails again and again rests, so that it does not cost every call its time. */
export interface Ward {
  /** Is it resting now? */
  resting(hook: Hook): boolean;
  succeeded(hook: Hook): void;
  /** A notice for the person, when this failure is the one that sends it to rest. */
  failed(hook: Hook, problem: string): string | null;
  of(hook: Hook): Health;
  /** Its file has changed: it gets another chance. */
  forget(name: string): void;
}

export function createWard(now: () => number = Date.now): Ward {
  const records = new Map<string, Record>();
  function recordOf({ name }: Pick<Hook, 'name'>): Record {
    let record = records.get(name);
    if (!record) {
      record = { runs: 0, failures: 0, inARow: 0, lastProblem: null, pausedUntil: null };
      records.set(name, record);
    }
    return record;
  }
  return {
    resting(hook) {
      const record = recordOf(hook);
      if (record.pausedUntil === null) return false;
      if (now() < record.pausedUntil) return true;
      record.pausedUntil = null;
      // One more failure sends it back to rest.
      record.inARow = FAILURES_TO_PAUSE - 1;
      return false;
    },
    succeeded(hook) {
      const record = recordOf(hook);
      record.runs += 1;
      record.inARow = 0;
    },
    failed(hook, problem) {
      const record = recordOf(hook);
      record.runs += 1;
      record.failures += 1;
      record.inARow += 1;
      record.lastProblem = problem;
      if (record.inARow < FAILURES_TO_PAUSE || record.pausedUntil !== null) return null;
      record.pausedUntil = now() + PAUSE_MS;
      return (
        `Hookline: the hook ${hook.name} failed ${record.inARow} times in a row (${problem}) and is paused for ` +
        `${PAUSE_MS / 60_000} minutes, or until ${hook.where} changes.`
      );
    },
    of(hook) {
      const { runs, failures, lastProblem, pausedUntil } = recordOf(hook);
      return { runs, failures, lastProblem, pausedUntil };
    },
    forget: (name) => void records.delete(name),
  };
}
