import type { HookEvent } from '../model/events.ts';

/** What the rules remember of a session while it goes on: how often things happened, and what was done since. */
export interface SessionMemory {
  /** How often this rule has matched in the window, this time included. */
  count(rule: string, per: Window, event: HookEvent, now: number): number;
  /** True when files were changed after the last test run that passed. */
  changedSinceTest(event: HookEvent): boolean;
  /** Takes note of what has happened. */
  note(event: HookEvent, isTest: () => boolean): void;
}

export type Window = 'turn' | 'session' | 'hour';

const HOUR_MS = 3_600_000;
const REMEMBERED_SESSIONS = 500;

interface Remembered {
  readonly counts: Map<string, number>;
  changed: boolean;
}

export function createSessionMemory(): SessionMemory {
  const sessions = new Map<string, Remembered>();
  const hours = new Map<string, number[]>();

  function of(event: HookEvent): Remembered {
    const key = `${event.source}\0${event.sessionId}`;
    const found = sessions.get(key) ?? { counts: new Map(), changed: false };
    sessions.delete(key);
    sessions.set(key, found);
    const oldest = sessions.size > REMEMBERED_SESSIONS ? sessions.keys().next() : null;
    if (oldest && !oldest.done) sessions.delete(oldest.value);
    return found;
  }

  return {
    count(rule, per, event, now) {
      if (per === 'hour') {
        const recent = [...(hours.get(rule) ?? []).filter((time) => now - time < HOUR_MS), now];
        hours.set(rule, recent);
        return recent.length;
      }
      const { counts } = of(event);
      const key = per === 'turn' ? `${rule}\0${event.promptNumber}` : rule;
      const next = (counts.get(key) ?? 0) + 1;
      counts.set(key, next);
      return next;
    },
    changedSinceTest: (event) => of(event).changed,
    note(event, isTest) {
      if (event.type !== 'after_tool' || event.tool.outcome !== 'ok') return;
      if (event.tool.kind === 'write' && event.tool.files.length > 0) of(event).changed = true;
      else if (event.tool.kind === 'shell' && isTest()) of(event).changed = false;
    },
  };
}
