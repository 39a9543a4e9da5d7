import * as v from 'valibot';
import { type AwayState, stillAway } from '../model/people/away.ts';
import { readOwnFile } from '../platform/bounded-files.ts';
import { writePrivateFile } from '../platform/files.ts';

/** A time in which nobody was here. */
export interface AwayPeriod {
  readonly since: number;
  readonly until: number;
}

/**
 * Away mode. It is kept in a file, so that it survives the daemon: whoever writes that file makes calls wait longer and
 * answers narrower, or as long as they do anyway. It never allows anything.
 */
export interface Away {
  /** Null while somebody is here. */
  now(): AwayState | null;
  /** Until that moment, or until `end`. */
  begin(until: number | null, by: string): AwayState;
  /** The time that has ended with it; null where nobody was away. */
  end(): AwayPeriod | null;
  /** The last time that somebody was away, also the one that goes on. */
  last(): AwayPeriod | null;
  /** Called when it begins, and when it ends by itself or by somebody. */
  subscribe(listener: () => void): () => void;
  stop(): void;
}

interface AwayParts {
  readonly path: string;
  readonly now: () => number;
  /** It ended by the clock, and nobody asked what happened. */
  ended(period: AwayPeriod): void;
  /** Its end could not be written. By the clock it has ended all the same. */
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

/** A timer takes no more than this. */
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
      // Nobody else would catch what goes wrong here.
      failed(error);
    }
  });
  // Also an end that came while no daemon ran.
  clock.set(endIn(kept));
  const current = () => stillAway(kept.away, now());
  return {
    now: current,
    begin(until, by) {
      // Whoever is away already stays so since then.
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

/** Calls when a moment has come, however far ahead it is. */
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

/** What cannot be read is nobody's being away: calls then wait as they otherwise do. */
function read(path: string): Stored {
  const parsed = v.safeParse(stored, readOwnFile(path) ?? '');
  if (!parsed.success) return { away: null, last: null };
  const { away, last } = parsed.output;
  const isTime = away === null || away.until === null || !Number.isNaN(Date.parse(away.until));
  return { away: isTime ? away : null, last };
}
