import { existsSync } from 'node:fs';
import { HooklineError } from '../model/errors.ts';
import type { ForwarderCall } from './forwarder-command.ts';
import type { PlacedHandler } from './hook-groups.ts';
import { readSettings } from './settings-json.ts';
import type { Finding } from './setup.ts';

export function ok(code: string, message: string): Finding {
  return { level: 'ok', code, message, fix: null };
}

export function warning(code: string, message: string, fix: string): Finding {
  return { level: 'warning', code, message, fix };
}

export function problem(code: string, message: string, fix: string | null): Finding {
  return { level: 'problem', code, message, fix };
}

/** The events of some handlers, each once. */
export function eventsOf(handlers: readonly PlacedHandler[]): string {
  return [...new Set(handlers.map(({ event }) => event))].join(', ');
}

/** A file as it was read, or what keeps it from being read; null is a file that does not exist. */
export function readOrFinding<T>(
  path: string,
  read: (text: string) => T,
): T | { readonly path: string; readonly finding: Finding } | null {
  try {
    const text = readSettings(path);
    return text === null ? null : read(text);
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error;
    return { path, finding: problem('settings-unreadable', error.message, error.hint) };
  }
}

/** Entries of ours in one file, and how their agent tells whether they are right. */
export interface OurEntries {
  readonly path: string;
  readonly ours: readonly PlacedHandler[];
  /** What setup would write, by event. */
  readonly wanted: ReadonlyMap<string, object>;
  /** The installed forwarder. */
  readonly forwarder: string;
  /** The way to set up again. */
  readonly again: string;
  callOf(handler: unknown): ForwarderCall | null;
  /** Is an entry that calls the right forwarder another one than setup would write? */
  differs(entry: PlacedHandler, wanted: object): boolean;
  /** Does a matcher keep some calls from the handlers of its group? */
  narrows(matcher: unknown): boolean;
}

/** What is right and wrong with our own entries. */
export function entryFindings(entries: OurEntries): Finding[] {
  const { path, ours, wanted, forwarder, again } = entries;
  const missing = [...wanted.keys()].filter((event) => !ours.some((entry) => entry.event === event));
  const gone = !existsSync(forwarder);
  const calls = ({ handler }: PlacedHandler) => entries.callOf(handler)?.forwarder;
  const isStale = (entry: PlacedHandler) => gone || calls(entry) !== forwarder;
  const stale = ours.filter(isStale);
  const changed = ours.filter((entry) => {
    const handler = wanted.get(entry.event);
    return handler && !isStale(entry) && entries.differs(entry, handler);
  });
  const narrowed = ours.filter(({ matcher }) => entries.narrows(matcher));
  const findings: Finding[] = [];
  if (stale.length > 0)
    findings.push(
      problem(
        'stale-path',
        `${path} calls ${[...new Set(stale.map(calls))].join(' and ')}, which is not the installed forwarder: ${eventsOf(stale)} may go unseen.`,
        again,
      ),
    );
  if (missing.length > 0)
    findings.push(warning('missing-events', `${path} does not forward ${missing.join(', ')}.`, again));
  if (changed.length > 0)
    findings.push(
      warning('changed-entries', `${path} has other entries than setup writes: ${eventsOf(changed)}.`, again),
    );
  if (narrowed.length > 0)
    findings.push(
      warning(
        'narrowed',
        `${path} has a matcher on entries of Hookline, which sees only part of ${eventsOf(narrowed)}.`,
        'Remove the matcher, unless you want it.',
      ),
    );
  return findings.length > 0 ? findings : [ok('set-up', `${path} forwards ${ours.length} events.`)];
}

/** Where hooks that run side by side get into each other's way. */
export interface Contest {
  readonly events: readonly string[];
  /** What may be lost on the events of these that others have hooks on. */
  loss(events: string): string;
  readonly fix: string;
}

/** What hooks of others mean for ours. */
export function foreignFindings(others: readonly PlacedHandler[], contest: Contest): Finding[] {
  if (others.length === 0) return [];
  const message = `${others.length} hook${others.length > 1 ? 's' : ''} of others on ${eventsOf(others)} run in parallel with ours.`;
  const contested = others.filter(({ event }) => contest.events.includes(event));
  if (contested.length === 0) return [ok('foreign-hooks', message)];
  return [warning('foreign-hooks', `${message} ${contest.loss(eventsOf(contested))}`, contest.fix)];
}
