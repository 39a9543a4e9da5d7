import * as v from 'valibot';
import { type AwayState, stillAway } from '../model/away.ts';
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
  let { away, last } = read(path);
  let timer: NodeJS.Timeout | undefined;

  function set(next: Stored): void {
    writePrivateFile(path, `${JSON.stringify(next, null, 2)}\n`);
    ({ away, last } = next);
    watch();
    for (const listener of listeners) listener();
  }

  function finish(until: number): AwayPeriod | null {
    if (away === null) return null;
    const period = { since: Date.parse(away.since), until };
    set({ away: null, last: period });
    return period;
  }

  /** Ends it when its time comes, also one that came while no daemon ran. */
  function watch(): void {
    clearTimeout(timer);
    if (away === null || away.until === null) return;
    const end = Date.parse(away.until);
    timer = setTimeout(
      () => (now() < end ? watch() : endBySelf(end)),
      Math.min(Math.max(0, end - now()), LONGEST_TIMER_MS),
    );
    timer.unref();
  }

  /** Nobody else would catch what goes wrong here. */
  function endBySelf(end: number): void {
    try {
      const period = finish(end);
      if (period) ended(period);
    } catch (error) {
      failed(error);
    }
  }

  watch();
  return {
    now: () => stillAway(away, now()),
    begin(until, by) {
      // Whoever is away already stays so since then.
      const since = stillAway(away, now())?.since ?? new Date(now()).toISOString();
      const begun = { since, until: until === null ? null : new Date(until).toISOString(), by };
      set({ away: begun, last });
      return begun;
    },
    end: () => finish(now()),
    last: () => (stillAway(away, now()) && away ? { since: Date.parse(away.since), until: now() } : last),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => clearTimeout(timer),
  };
}

/** What cannot be read is nobody's being away: calls then wait as they otherwise do. */
function read(path: string): Stored {
  const parsed = v.safeParse(stored, readOwnFile(path) ?? '');
  if (!parsed.success) return { away: null, last: null };
  const { away, last } = parsed.output;
  const isTime = away === null || away.until === null || !Number.isNaN(Date.parse(away.until));
  return { away: isTime ? away : null, last };
}
