import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { HooklineError } from '../../model/errors.ts';
import { counted } from '../../model/text.ts';
import { listHandlers, narrows, type PlacedHandler } from './hook-groups.ts';
import type { HookSettings } from './hook-settings.ts';
import { type JsonPath, readSettings, SettingsDocument } from './settings-json.ts';
import type { Finding, SetupContext } from './setup.ts';

export function ok(code: string, message: string): Finding {
  return { level: 'ok', code, message, fix: null };
}

export function warning(code: string, message: string, fix: string): Finding {
  return { level: 'warning', code, message, fix };
}

/** A limitation of the client that has no fix. */
export function limit(code: string, message: string, fix: string | null = null): Finding {
  return { level: 'limit', code, message, fix };
}

/** A finding that running setup again fixes. Not for one that may be a user's choice, or an attack. */
export function bySetup(finding: Finding): Finding {
  return { ...finding, bySetup: true };
}

export function problem(code: string, message: string, fix: string | null): Finding {
  return { level: 'problem', code, message, fix };
}

/** The finding if the condition is true, else none. */
export function when(condition: boolean, finding: Finding): readonly Finding[] {
  return condition ? [finding] : [];
}

/** The events of some handlers, each once. */
export function eventsOf(handlers: readonly PlacedHandler[]): string {
  return [...new Set(handlers.map(({ event }) => event))].join(', ');
}

/** Files as they were read, and what keeps others from being read. Files that do not exist are in neither. */
interface ReadFiles<T> {
  readonly files: readonly T[];
  readonly unreadable: ReadonlyMap<string, Finding>;
}

export function readFiles<T>(
  paths: readonly string[],
  read: (text: string, path: string) => T,
): ReadFiles<T> {
  const files: T[] = [];
  const unreadable = new Map<string, Finding>();
  for (const path of paths) {
    try {
      const text = readSettings(path);
      if (text !== null) files.push(read(text, path));
    } catch (error) {
      if (!(error instanceof HooklineError)) throw error;
      unreadable.set(path, problem('settings-unreadable', error.message, error.hint));
    }
  }
  return { files, unreadable };
}

/** A settings file with its hooks. */
export interface HookFile {
  readonly path: string;
  /** What else was asked for. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly handlers: readonly PlacedHandler[];
}

/** Files with their hooks, and with the values at some places in them. */
export function readHookFiles(
  settings: HookSettings,
  paths: readonly string[],
  places: Readonly<Record<string, JsonPath>> = {},
): ReadFiles<HookFile> {
  return readFiles(paths, (text, path) => {
    const document = new SettingsDocument(text, settings.groups(path));
    const values = Object.entries(places).map(([name, place]) => [name, document.get(place)]);
    const handlers = listHandlers(text, settings.groups(path));
    return { path, values: Object.fromEntries(values), handlers };
  });
}

/** Our entries among the handlers of some files. */
export function oursIn(files: readonly Pick<HookFile, 'handlers'>[]): readonly PlacedHandler[] {
  return files.flatMap(({ handlers }) => handlers.filter(({ ours }) => ours));
}

/** Entries that are not ours. */
export function othersIn(files: readonly Pick<HookFile, 'handlers'>[]): readonly PlacedHandler[] {
  return files.flatMap(({ handlers }) => handlers.filter(({ ours }) => !ours));
}

/** What is right and wrong with our entries in the file that setup edits, or that it has none. */
export function targetFindings(
  settings: HookSettings,
  context: SetupContext,
  { files, unreadable }: ReadFiles<Pick<HookFile, 'path' | 'handlers'>>,
  options: Pick<OurEntries, 'path' | 'differs'>,
): readonly Finding[] {
  const { path } = options;
  const ours = oursIn(files.filter((file) => file.path === path));
  if (ours.length > 0) return entryFindings(settings, context, { ...options, ours });
  const fix = `Run \`hookline setup ${settings.id}\`.`;
  return when(!unreadable.has(path), warning('not-set-up', `${path} is not set up.`, fix));
}

/** Entries of ours in one file. */
interface OurEntries {
  readonly path: string;
  readonly ours: readonly PlacedHandler[];
  /** The arguments of `hookline setup` that write this file. */
  readonly setupArguments?: string;
  /** Does an entry differ from what setup writes in anything but a choice of the user's? */
  differs?(entry: PlacedHandler, wanted: object): boolean;
}

/** What is right and wrong with our own entries. */
export function entryFindings(
  settings: HookSettings,
  context: SetupContext,
  { path, ours, setupArguments = settings.id, differs = hasChanged }: OurEntries,
): readonly Finding[] {
  const { forwarder } = context;
  const wanted = settings.wanted(context);
  const again = `Run \`hookline setup ${setupArguments}\` again.`;
  const missing = [...wanted.keys()].filter((event) => !ours.some((entry) => entry.event === event));
  const isMissing = !existsSync(forwarder);
  const calls = ({ handler }: PlacedHandler) => settings.ourCall(handler)?.forwarder;
  const isStale = (entry: PlacedHandler) => isMissing || calls(entry) !== forwarder;
  const stale = ours.filter(isStale);
  const changed = ours.filter((entry) => {
    const handler = wanted.get(entry.event);
    return handler && !isStale(entry) && differs(entry, handler);
  });
  const guarding = (events: readonly string[], found: Finding) =>
    when(
      events.length > 0,
      bySetup({ ...found, level: events.some(settings.guards) ? 'problem' : 'warning' }),
    );
  const called = [...new Set(stale.map(calls))].join(' and ');
  const findings = [
    ...when(
      stale.length > 0,
      bySetup(
        problem(
          'stale-path',
          `${path} calls ${called}, which is not the installed forwarder: ${eventsOf(stale)} may go unseen.`,
          again,
        ),
      ),
    ),
    ...guarding(missing, warning('missing-events', `${path} does not forward ${missing.join(', ')}.`, again)),
    ...guarding(
      changed.map(({ event }) => event),
      warning('changed-entries', `${path} has other entries than setup writes: ${eventsOf(changed)}.`, again),
    ),
    ...narrowedFindings(path, ours),
  ];
  return findings.length > 0
    ? findings
    : [ok('set-up', `${path} forwards ${counted(ours.length, 'event')}.`)];
}

function narrowedFindings(path: string, ours: readonly PlacedHandler[]): readonly Finding[] {
  const narrowed = ours.filter(({ matcher }) => narrows(matcher));
  return when(
    narrowed.length > 0,
    warning(
      'narrowed',
      `${path} has a matcher on Hookline's entries, which then get only part of ${eventsOf(narrowed)}.`,
      'Remove the matcher, unless you want it.',
    ),
  );
}

function hasChanged({ handler }: PlacedHandler, wanted: object): boolean {
  return !isDeepStrictEqual(handler, wanted);
}

/** For entries that fail open or closed: that was the user's choice at setup, so that an entry may be either. */
export function differsFromBoth(
  settings: HookSettings,
  context: SetupContext,
): (entry: PlacedHandler) => boolean {
  const either = [true, false].map((failClosed) => settings.wanted({ ...context, failClosed }));
  return ({ event, handler }) => either.every((wanted) => !isDeepStrictEqual(handler, wanted.get(event)));
}

/** Where hooks of one event conflict. */
export interface HookConflict {
  /** How the client runs them; in parallel unless given. */
  readonly order?: string;
  readonly events: readonly string[];
  /** What may be lost on these events. */
  loss(events: string): string;
  readonly fix: string;
}

/** What hooks of others mean for ours. */
export function foreignFindings(
  others: readonly PlacedHandler[],
  conflict: HookConflict,
): readonly Finding[] {
  if (others.length === 0) return [];
  const message = `${counted(others.length, 'hook')} of others on ${eventsOf(others)} ${others.length === 1 ? 'runs' : 'run'} ${conflict.order ?? 'in parallel with'} ours.`;
  const shared = others.filter(({ event }) => conflict.events.includes(event));
  if (shared.length === 0) return [ok('foreign-hooks', message)];
  return [warning('foreign-hooks', `${message} ${conflict.loss(eventsOf(shared))}`, conflict.fix)];
}
