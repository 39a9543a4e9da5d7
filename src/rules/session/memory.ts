import { type HookEvent, sessionKey } from '../../model/events.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import { callKey } from './call-key.ts';
import { createMadeFiles, type MadeFiles } from './made.ts';
import { createSessionPages, type SessionPages } from './pages.ts';
import { createSessionFiles, type SessionFiles } from './session-files.ts';
import { createWriteConflicts, type WriteConflicts } from './write-conflicts.ts';

/** What rules remember of a session: how often something happened, and what was done since. */
export interface SessionMemory {
  /** How often this rule has matched in the window, including now. */
  count(rule: string, per: Window, event: HookEvent, now: number): number;
  /** True if files were changed after the last passing test run. */
  changedSinceTest(event: HookEvent): boolean;
  /** Records a denial of this call. */
  refused(event: HookEvent, now: number): void;
  /** How often this call, or any call, was denied in the window. */
  refusals(of: 'call' | 'any', per: Window, event: HookEvent, now: number): number;
  readonly writers: WriteConflicts;
  readonly files: SessionFiles;
  readonly made: MadeFiles;
  readonly pages: SessionPages;
  /** Records an event. `provesTests`: whether the exit code of the call is that of a test run. */
  note(event: HookEvent, provesTests: () => boolean): void;
}

const WINDOWS = ['turn', 'session', 'hour'] as const;
export type Window = (typeof WINDOWS)[number];

const HOUR_MS = 3_600_000;
const REMEMBERED_SESSIONS = 500;
const REMEMBERED_HOURS = 5_000;
const DROPPED_AT_ONCE = 1_000;
const ANY = '\0any';

interface Recent {
  readonly times: number[];
  /** Index of the first time within the last hour. */
  first: number;
}

/** How often something happened within the last hour. */
interface HourCounts {
  /** Adds one and returns the new count. */
  add(key: string, now: number): number;
  count(key: string, now: number): number;
}

function createHourCounts(): HourCounts {
  const hours = new BoundedMap<string, Recent>(REMEMBERED_HOURS);

  /** Times of the last hour. Older ones are dropped from the front, so that reading is cheap. */
  function inHour(key: string, now: number): Recent {
    const recent = hours.get(key) ?? { times: [], first: 0 };
    while (recent.first < recent.times.length && now - (recent.times[recent.first] ?? now) >= HOUR_MS)
      recent.first += 1;
    if (recent.first > DROPPED_AT_ONCE) {
      recent.times.splice(0, recent.first);
      recent.first = 0;
    }
    return recent;
  }

  return {
    add(key, now) {
      const recent = inHour(key, now);
      recent.times.push(now);
      hours.set(key, recent);
      return recent.times.length - recent.first;
    },
    count(key, now) {
      const { times, first } = inHour(key, now);
      return times.length - first;
    },
  };
}

interface Remembered {
  readonly counts: Map<string, number>;
  changed: boolean;
}

export function createSessionMemory(): SessionMemory {
  const sessions = new BoundedMap<string, Remembered>(REMEMBERED_SESSIONS);
  const hours = createHourCounts();

  function of(event: HookEvent): Remembered {
    const key = sessionKey(event);
    const found = sessions.get(key) ?? { counts: new Map(), changed: false };
    sessions.set(key, found);
    return found;
  }

  function add(key: string, per: Window, event: HookEvent, now: number): number {
    if (per === 'hour') return hours.add(key, now);
    const { counts } = of(event);
    const next = (counts.get(windowKey(key, per, event)) ?? 0) + 1;
    counts.set(windowKey(key, per, event), next);
    return next;
  }

  return {
    count: add,
    refused(event, now) {
      for (const key of [callKey(event), ANY])
        for (const per of WINDOWS) add(`${REFUSED}${key}`, per, event, now);
    },
    refusals(which, per, event, now) {
      const key = `${REFUSED}${which === 'any' ? ANY : callKey(event)}`;
      if (per === 'hour') return hours.count(key, now);
      return of(event).counts.get(windowKey(key, per, event)) ?? 0;
    },
    writers: createWriteConflicts(),
    files: createSessionFiles(),
    made: createMadeFiles(),
    pages: createSessionPages(),
    changedSinceTest: (event) => of(event).changed,
    note(event, provesTests) {
      if (event.type !== 'after_tool' || event.tool.outcome !== 'ok') return;
      if (event.tool.kind === 'write' && event.tool.files.length > 0) of(event).changed = true;
      else if (event.tool.kind === 'shell' && provesTests()) of(event).changed = false;
    },
  };
}

const REFUSED = '\0refused\0';

function windowKey(key: string, per: 'turn' | 'session', event: HookEvent): string {
  return per === 'turn' ? `${key}\0${event.promptNumber}` : key;
}
