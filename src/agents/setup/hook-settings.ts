import { HooklineError } from '../../model/errors.ts';
import type { HookEvent } from '../../model/events.ts';
import { type ForwarderCall, forwarderCommand, parseForwarderCommand } from './forwarder-command.ts';
import { commandOf, type HookGroups, type HookPlace, withHandlers, withoutHandlers } from './hook-groups.ts';
import { readSettings } from './settings-json.ts';
import type { SetupContext } from './setup.ts';

/** What setup writes for one event. */
export interface EventEntry {
  /** In the client's own unit. */
  readonly timeout: number;
  /** Something happens that a failing hook should be able to stop. */
  readonly guard?: true;
  /** Written only on request. */
  readonly optIn?: true;
}

/** Timeouts for the entries that setup writes, in the client's own unit. */
export function hookTimeouts(unit: 's' | 'ms') {
  const second = unit === 's' ? 1 : 1_000;
  return {
    // An approval may take a night. This is only the ceiling: the forwarder gives up after seconds unless the daemon
    // asks it to wait, and it waits for a day at most.
    APPROVAL: 86_400 * second,
    // Users' own hooks do real work here: tests before a stop, formatters after an edit.
    WORK: 600 * second,
    // The user looks at a screen that does not move until we answer.
    PROMPT: 30 * second,
    // Nothing is done with the answer.
    NOTE: 10 * second,
  };
}

/** A handler as it stands in the settings. */
interface CommandHandler {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
  /** Fields that only one client has. */
  readonly [field: string]: unknown;
}

/** A client that keeps hooks in groups under its events, and our entries in them. */
interface HookClient {
  readonly id: string;
  readonly label: string;
  readonly timeoutUnit: 's' | 'ms';
  /** Every event of the client. */
  readonly events: Readonly<Record<string, EventEntry>>;
  /** By the events that it can refuse. */
  readonly refusals: Readonly<Record<string, unknown>>;
  /** The file that setup edits. */
  path(context: SetupContext): string;
  /** The handler of one event, where that is more than a command with a timeout. */
  handler?(context: SetupContext, event: string, entry: EventEntry): CommandHandler;
  /** Reads a command line as one that setup wrote, where that is more than a call of the forwarder. */
  parse?(command: string): ForwarderCall | null;
  /** True where a handler may stand in the list of its event without a group. */
  readonly flat?: true | 'only';
  /** Does the client read comments in this file? It does not unless given. */
  comments?(path: string): boolean;
  /** Where the events are in this file. */
  root?(path: string): HookPlace['root'];
}

/** The file with our entries, before and after setup. */
export interface HooksEdit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  /** `before` without entries of an earlier setup. */
  readonly original: string | null;
}

/** A client's hooks in its settings. */
export interface HookSettings {
  readonly id: string;
  /** How long the client waits for us, as setup configured it; 0 for an event that setup did not register. */
  timeoutMs(event: Pick<HookEvent, 'nativeEvent'>): number;
  /** Can something still be kept from happening on this event? */
  guards(event: string): boolean;
  /** A handler read as one that setup wrote; null for others. */
  ourCall(handler: unknown): ForwarderCall | null;
  groups(path: string): HookGroups;
  /** The handlers that setup writes, by event. Throws USAGE for an event that the client does not have. */
  wanted(context: SetupContext): ReadonlyMap<string, CommandHandler>;
  plan(context: SetupContext): HooksEdit;
  /** Empty where there is nothing of ours. */
  planRemoval(context: SetupContext): readonly Removal[];
  /** The same for one file. */
  removalFrom(path: string): readonly Removal[];
}

interface Removal {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export function hookSettings(client: HookClient): HookSettings {
  const { id, timeoutUnit, events } = client;
  const ourCall = ourCallOf(client);
  const groups = (path: string): HookGroups => ({
    path,
    root: client.root?.(path),
    comments: client.comments?.(path) ?? false,
    flat: client.flat ?? false,
    isOurs: (handler) => ourCall(handler) !== null,
  });
  const wanted = (context: SetupContext) =>
    new Map(
      requestedEvents(client, context.events).map(([event, entry]) => [
        event,
        handlerOf(client, context, event, entry),
      ]),
    );
  const removalFrom = (path: string) => removal(groups(path));
  return {
    id,
    timeoutMs: ({ nativeEvent }) => {
      const timeout = (Object.hasOwn(events, nativeEvent) && events[nativeEvent]?.timeout) || 0;
      return timeoutUnit === 's' ? timeout * 1000 : timeout;
    },
    guards: (event) => Object.hasOwn(client.refusals, event),
    ourCall,
    groups,
    wanted,
    plan(context) {
      const path = client.path(context);
      const before = readSettings(path);
      const text = before ?? '{}\n';
      const after = context.wrapped ? text : withHandlers(text, wanted(context), groups(path));
      const original = before === null ? null : withoutHandlers(before, groups(path));
      return { path, before, after, original };
    },
    planRemoval: (context) => removalFrom(client.path(context)),
    removalFrom,
  };
}

function handlerOf(
  client: HookClient,
  context: SetupContext,
  event: string,
  entry: EventEntry,
): CommandHandler {
  return (
    client.handler?.(context, event, entry) ?? {
      type: 'command',
      command: forwarderCommand(context.forwarder, client.id, event),
      timeout: entry.timeout,
    }
  );
}

function removal(groups: HookGroups): readonly Removal[] {
  const { path } = groups;
  const before = readSettings(path);
  if (before === null) return [];
  const after = withoutHandlers(before, groups);
  return after === before ? [] : [{ path, before, after }];
}

function ourCallOf({ id, parse }: HookClient): HookSettings['ourCall'] {
  const read = parse ?? ((command: string) => parseForwarderCommand(command, id));
  return (handler) => {
    const command = commandOf(handler);
    return command === null ? null : read(command);
  };
}

/** All events but the opt-in ones, with those that were requested and without those named with a leading `-`. */
function requestedEvents(
  { label, events }: HookClient,
  requested: readonly string[] = [],
): readonly (readonly [event: string, entry: EventEntry])[] {
  const unknown = requested
    .map((name) => name.replace(/^-/, ''))
    .find((name) => !Object.hasOwn(events, name));
  if (unknown !== undefined)
    throw new HooklineError('USAGE', `${label} has no event named ${unknown}.`, {
      hint: `Its events are ${Object.keys(events).join(', ')}. A leading "-" leaves one out: --events=-NAME.`,
    });
  return Object.entries(events).filter(
    ([name, { optIn }]) => !requested.includes(`-${name}`) && (!optIn || requested.includes(name)),
  );
}
