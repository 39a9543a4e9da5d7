import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { isObject } from '../../model/json.ts';
import { type JsonPath, SettingsDocument, type SettingsOptions, unreadable } from './settings-json.ts';

/** Where the events are in a file: under `hooks` unless given; nowhere but at the top where a file has nothing else. */
export interface HookPlace extends SettingsOptions {
  /** A handler may also stand in the list of its event by itself, with its matcher in it; `only`: it has to. */
  readonly flat?: boolean | 'only';
  readonly root?: readonly [] | readonly [string] | undefined;
}

/**
 * The layout in which several agents keep hooks: `hooks.<event>` is a list of groups, each with an optional matcher
 * and a list of handlers.
 */
export interface HookGroups extends HookPlace {
  /** True for handlers that setup wrote. */
  readonly isOurs: (handler: unknown) => boolean;
}

/** One handler as it stands in a file. */
export interface PlacedHandler {
  readonly event: string;
  /**
   * Which group of the event, and which handler in it: some clients know a hook by these. Null for a handler that
   * stands in the list by itself.
   */
  readonly group: number;
  readonly index: number | null;
  /** As written; undefined where the group has none. */
  readonly matcher: unknown;
  readonly handler: unknown;
  readonly ours: boolean;
}

const lenientGroup = v.looseObject({ matcher: v.optional(v.unknown()), hooks: v.array(v.unknown()) });

const commandHandler = v.looseObject({ type: v.literal('command'), command: v.string() });

/** The command line of a handler; null for handlers of other kinds. */
export function commandOf(handler: unknown): string | null {
  return v.is(commandHandler, handler) ? handler.command : null;
}

/** Does a matcher keep some calls from the handlers of its group? */
export function narrows(matcher: unknown): matcher is string {
  return typeof matcher === 'string' && matcher !== '' && matcher !== '*';
}

/** The text with exactly one handler of ours on each wanted event and none on any other. */
export function withHandlers(
  text: string,
  wanted: ReadonlyMap<string, unknown>,
  options: HookGroups,
): string {
  if (wanted.size === 0) return withoutHandlers(text, options);
  const settings = new SettingsDocument(text, options);
  const root = rootOf(options);
  const hooks = settings.get(root);
  if (hooks === undefined && root.length > 0) {
    settings.set(
      root,
      Object.fromEntries([...wanted].map(([event, handler]) => [event, [item(handler, options)]])),
    );
    return settings.toString();
  }
  for (const event of Object.keys(requireObject(hooks === undefined ? {} : hooks, options.path)))
    if (!wanted.has(event)) removeFrom(settings, event, options);
  // Removing what is not wanted any more may have removed `hooks` with it.
  addRoot(settings, root);
  for (const [event, handler] of wanted) place(settings, event, handler, options);
  return settings.toString();
}

/** The text without our handlers and without the groups and lists that had nothing else. */
export function withoutHandlers(text: string, options: HookGroups): string {
  const settings = new SettingsDocument(text, options);
  const root = rootOf(options);
  const hooks = settings.get(root);
  const events = isObject(hooks) ? Object.keys(hooks) : [];
  // At once, because the text is read again after each that is removed.
  if (root.length > 0 && events.length > 0 && events.every((event) => isOnlyOurs(settings, event, options)))
    settings.remove(root);
  else for (const event of events) removeFrom(settings, event, options);
  return settings.toString();
}

function isOnlyOurs(settings: SettingsDocument, event: string, options: HookGroups): boolean {
  const groups = settings.get([...rootOf(options), event]);
  return Array.isArray(groups) && groups.length > 0 && groups.every((item) => isOurItem(item, options));
}

function isOurItem(item: unknown, options: HookGroups): boolean {
  const handlers = handlersIn(item, options);
  return handlers.length > 0 && handlers.every(([, handler]) => options.isOurs(handler));
}

/** Every handler in the file, in its order; what does not have the shape of one is not listed. */
export function listHandlers(text: string, options: HookGroups): readonly PlacedHandler[] {
  const hooks = new SettingsDocument(text, options).get(rootOf(options));
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((item: unknown, group) =>
      handlersIn(item, options).map(([index, handler]) => ({
        event,
        group,
        index,
        matcher: isObject(item) ? item.matcher : undefined,
        handler,
        ours: options.isOurs(handler),
      })),
    ),
  );
}

/** The handlers of one item in the list of an event, each with its place in it; null where the item is the handler. */
function handlersIn(
  item: unknown,
  { flat }: HookPlace,
): readonly (readonly [index: number | null, handler: unknown])[] {
  if (flat !== 'only' && v.is(lenientGroup, item))
    return item.hooks.map((handler, index) => [index, handler]);
  return flat && isObject(item) ? [[null, item]] : [];
}

/** The text without these handlers, and without whatever had nothing else. */
export function withoutPlaced(text: string, placed: readonly PlacedHandler[], options: HookPlace): string {
  const settings = new SettingsDocument(text, options);
  // From the end, so that the places of the others stay what they are.
  const fromTheEnd = placed.toSorted((a, b) => b.group - a.group || (b.index ?? 0) - (a.index ?? 0));
  for (const one of fromTheEnd) removeHandler(settings, rootOf(options), one);
  return settings.toString();
}

/** The text with one more handler, at the end of its event: in a group of its own, unless its matcher is in it. */
export function withHandler(
  text: string,
  { event, matcher, handler }: Pick<PlacedHandler, 'event' | 'matcher' | 'handler'>,
  options: HookPlace,
): string {
  const settings = new SettingsDocument(text, options);
  const root = rootOf(options);
  addRoot(settings, root);
  const isWhole = options.flat && isObject(handler) && handler.matcher === matcher;
  const grouped = matcher === undefined ? group(handler) : { matcher, ...group(handler) };
  const added = isWhole ? handler : grouped;
  if (settings.get([...root, event]) === undefined) settings.set([...root, event], [added]);
  else settings.append([...root, event], added);
  return settings.toString();
}

const HOOKS = ['hooks'] as const;

function rootOf({ root = HOOKS }: HookPlace): JsonPath {
  return root;
}

function addRoot(settings: SettingsDocument, root: JsonPath): void {
  if (root.length > 0 && settings.get(root) === undefined) settings.set(root, {});
}

function place(settings: SettingsDocument, event: string, handler: unknown, options: HookGroups): void {
  const root = rootOf(options);
  const list: JsonPath = [...root, event];
  const groups = settings.get(list);
  if (groups === undefined) {
    settings.set(list, [item(handler, options)]);
    return;
  }
  if (!Array.isArray(groups))
    throw unreadable(options.path, `has something other than a list in ${list.join('.')}`);
  const [first, ...more] = ours(settings, event, options);
  if (first === undefined) {
    settings.append(list, item(handler, options));
    return;
  }
  for (const extra of more.toReversed()) removeHandler(settings, root, extra);
  const path = [...root, ...below(first)];
  if (!isDeepStrictEqual(settings.get(path), handler)) settings.set(path, handler);
}

function removeFrom(settings: SettingsDocument, event: string, options: HookGroups): void {
  for (const path of ours(settings, event, options).toReversed())
    removeHandler(settings, rootOf(options), path);
}

/** Where a handler is, below the place of the events. */
type HandlerPlace = Pick<PlacedHandler, 'event' | 'group' | 'index'>;

function below({ event, group, index }: HandlerPlace): JsonPath {
  return [event, group, ...(index === null ? [] : ['hooks', index])];
}

/** Removes a handler together with whatever has nothing else: its group, the list of the event, `hooks`. */
function removeHandler(settings: SettingsDocument, root: JsonPath, handler: HandlerPlace): void {
  const { event, group, index } = handler;
  const around = [...root, event, group];
  const containers: [JsonPath, JsonPath][] = [
    ...(index === null ? [] : [[[...around, 'hooks'], around] satisfies [JsonPath, JsonPath]]),
    [
      [...root, event],
      [...root, event],
    ],
    ...(root.length > 0 ? [[root, root] satisfies [JsonPath, JsonPath]] : []),
  ];
  let widest: JsonPath = [...root, ...below(handler)];
  for (const [list, container] of containers) {
    if (size(settings.get(list)) > 1) break;
    widest = container;
  }
  settings.remove(widest);
}

function ours(settings: SettingsDocument, event: string, options: HookGroups): HandlerPlace[] {
  const groups = settings.get([...rootOf(options), event]);
  return (Array.isArray(groups) ? groups : []).flatMap((item: unknown, group) =>
    handlersIn(item, options).flatMap(([index, handler]) =>
      options.isOurs(handler) ? [{ event, group, index }] : [],
    ),
  );
}

/** A handler as it stands in the list of its event. */
function item(handler: unknown, { flat }: HookPlace): unknown {
  return flat === 'only' ? handler : group(handler);
}

function group(handler: unknown): { hooks: unknown[] } {
  return { hooks: [handler] };
}

function requireObject(hooks: unknown, path: string): object {
  if (isObject(hooks)) return hooks;
  // An empty list is what some tools write for "no hooks"; clients ignore it, and so would they our entries in it.
  throw unreadable(path, `has ${Array.isArray(hooks) ? 'a list' : 'no object'} as "hooks"`);
}

function size(value: unknown): number {
  return isObject(value) ? Object.keys(value).length : Array.isArray(value) ? value.length : 0;
}
