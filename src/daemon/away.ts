import * as v from 'valibot';
import { type AwayState, stillAway } from '../model/people/away.ts';
import { readOwnFile } from '../platform/bounded-files.ts';
import { writePrivateFile } from '../platform/files.ts';

/** A period of away mode. */
export interface AwayPeriod {
  readonly since: number;
  readonly until: number;
}

/**
 * Away mode, stored in a file so that it survives the daemon. Writing that file can make calls wait longer, restrict
 * answers or end away mode. It never allows anything.
 */
export interface Away {
  /** Null while away mode is off. */
  now(): AwayState | null;
  /** Until that time, or until `end`. */
  begin(until: number | null, by: string): AwayState;
  /** Returns the period that ended; null if away mode was off. */
  end(): AwayPeriod | null;
  /** The last period, including the current one. */
  last(): AwayPeriod | null;
  /** Called when it begins, and when it ends on time or on request. */
  subscribe(listener: () => void): () => void;
  stop(): void;
}

interface AwayParts {
  readonly path: string;
  readonly now: () => number;
  /** Called when it ended on time, not on request. */
  ended(period: AwayPeriod): void;
  /** The end couldn't be written. By the clock, away mode has ended anyway. */
  failed(error: unknown): void;
}

const state = v.object({
  since: v.pipe(v.string(), v.isoTimestamp()),
  until: v.nullable(v.string()),
  by: v.string(),
});
const stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    away: v.nullable(state),
    last: v.nullable(v.object({ since: v.number(), until: v.number() })),
  }),
);
type Stored = v.InferOutput<typeof stored>;

/** Longest delay that a timer accepts. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function openAway({ path, now, ended, failed }: AwayParts): Away {
  const listeners = new Set<() => void>();
  let kept = read(path);

  function set(next: Stored): void {
    writePrivateFile(path, `${JSON.stringify(next, null, 2)}\n`);
    kept = next;
    clock.set(endIn(kept));
    for (const listener of listeners) listener();
  }

  function finish(until: number): AwayPeriod | null {
    if (kept.away === null) return null;
    set({ away: null, last: periodOf(kept.away, until) });
    return kept.last;
  }

  const clock = createClock(now, (end) => {
    try {
      const period = finish(end);
      if (period) ended(period);
    } catch (error) {
      // An error in a timer would end the daemon.
      failed(error);
    }
  });
  // Also covers an end that passed while no daemon was running.
  clock.set(endIn(kept));
  const current = () => stillAway(kept.away, now());
  return {
    now: current,
    begin(until, by) {
      // If away mode is already on, it keeps its start.
      const since = current()?.since ?? new Date(now()).toISOString();
      const begun = { since, until: until === null ? null : new Date(until).toISOString(), by };
      set({ away: begun, last: kept.last });
      return begun;
    },
    end: () => finish(now()),
    last: () => periodOf(current(), now()) ?? kept.last,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: clock.stop,
  };
}

function periodOf(away: AwayState | null, until: number): AwayPeriod | null {
  return away && { since: Date.parse(away.since), until };
}

function endIn({ away }: Stored): number | null {
  return away === null || away.until === null ? null : Date.parse(away.until);
}

/** Calls back at a given time, however far ahead. */
function createClock(now: () => number, come: (moment: number) => void) {
  let timer: NodeJS.Timeout | undefined;
  function set(moment: number | null): void {
    clearTimeout(timer);
    if (moment === null) return;
    const left = Math.min(Math.max(0, moment - now()), LONGEST_TIMER_MS);
    timer = setTimeout(() => (now() < moment ? set(moment) : come(moment)), left);
    timer.unref();
  }
  return { set, stop: () => clearTimeout(timer) };
}

/** An unreadable file means that away mode is off. */
function read(path: string): Stored {
  const parsed = v.safeParse(stored, readOwnFile(path) ?? '');
  if (!parsed.success) return { away: null, last: null };
  const { away, last } = parsed.output;
  const isTime = away === null || away.until === null || !Number.isNaN(Date.parse(away.until));
  return { away: isTime ? away : null, last };
}
