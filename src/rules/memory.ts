import { createHash } from 'node:crypto';
import { type HookEvent, isToolEvent } from '../model/events.ts';
import { createWriters, type Writers } from './writers.ts';

/** What the rules remember of a session while it goes on: how often things happened, and what was done since. */
export interface SessionMemory {
  /** How often this rule has matched in the window, this time included. */
  count(rule: string, per: Window, event: HookEvent, now: number): number;
  /** True when files were changed after the last test run that passed. */
  changedSinceTest(event: HookEvent): boolean;
  /** This call was refused. */
  refused(event: HookEvent, now: number): void;
  /** How often this very call, or any, was refused in the window. */
  refusals(of: 'call' | 'any', per: Window, event: HookEvent, now: number): number;
  readonly writers: Writers;
  /** Takes note of what has happened. */
  note(event: HookEvent, isTest: () => boolean): void;
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
  /** Where those of the last hour begin. */
  first: number;
}

interface Remembered {
  readonly counts: Map<string, number>;
  changed: boolean;
}

export function createSessionMemory(): SessionMemory {
  const sessions = new Map<string, Remembered>();
  const hours = new Map<string, Recent>();

  function of(event: HookEvent): Remembered {
    const key = `${event.source}\0${event.sessionId}`;
    const found = sessions.get(key) ?? { counts: new Map(), changed: false };
    sessions.delete(key);
    sessions.set(key, found);
    const oldest = sessions.size > REMEMBERED_SESSIONS ? sessions.keys().next() : null;
    if (oldest && !oldest.done) sessions.delete(oldest.value);
    return found;
  }

  /** The times of the last hour; what is older is dropped from the front, so that asking costs nothing. */
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

  function add(key: string, per: Window, event: HookEvent, now: number): number {
    if (per === 'hour') {
      const recent = inHour(key, now);
      recent.times.push(now);
      hours.delete(key);
      hours.set(key, recent);
      const oldest = hours.size > REMEMBERED_HOURS ? hours.keys().next() : null;
      if (oldest && !oldest.done) hours.delete(oldest.value);
      return recent.times.length - recent.first;
    }
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
      if (per === 'hour') {
        const { times, first } = inHour(key, now);
        return times.length - first;
      }
      return of(event).counts.get(windowKey(key, per, event)) ?? 0;
    },
    writers: createWriters(),
    changedSinceTest: (event) => of(event).changed,
    note(event, isTest) {
      if (event.type !== 'after_tool' || event.tool.outcome !== 'ok') return;
      if (event.tool.kind === 'write' && event.tool.files.length > 0) of(event).changed = true;
      else if (event.tool.kind === 'shell' && isTest()) of(event).changed = false;
    },
  };
}

const REFUSED = '\0refused\0';

function windowKey(key: string, per: 'turn' | 'session', event: HookEvent): string {
  return per === 'turn' ? `${key}\0${event.promptNumber}` : key;
}

/** The same for the same call; a hash, because an argument may be a whole file. */
function callKey(event: HookEvent): string {
  if (!isToolEvent(event)) return event.type;
  const { name, command, input } = event.tool;
  return createHash('sha256')
    .update(`${name}\0${command?.trim() ?? JSON.stringify(input)}`)
    .digest('base64');
}
