import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { isObject } from '../../model/json.ts';
import { type JsonPath, SettingsDocument, type SettingsOptions, unreadable } from './settings-json.ts';

/** Where the events are in a file: under `hooks` unless given; nowhere but at the top where a file has nothing else. */
export interface HookPlace extends SettingsOptions {
  readonly root?: readonly [] | readonly [string] | undefined;
}

/**
 * The layout in which several agents keep hooks: `hooks.<event>` is a list of groups, each with an optional matcher
 * and a list of handlers.
 */
export interface HookGroups extends HookPlace {
  /** Distinguishes our handlers from everybody else's. */
  readonly isOurs: (handler: unknown) => boolean;
}

/** One handler as it stands in a file. */
export interface PlacedHandler {
  readonly event: string;
  /** Which group of the event, and which handler in it: some clients know a hook by these. */
  readonly group: number;
  readonly index: number;
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
    settings.set(root, Object.fromEntries([...wanted].map(([event, handler]) => [event, [group(handler)]])));
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
  const hooks = settings.get(rootOf(options));
  for (const event of isObject(hooks) ? Object.keys(hooks) : []) removeFrom(settings, event, options);
  return settings.toString();
}

/** Every handler in the file, in its order; what does not have the shape of one is not listed. */
export function listHandlers(text: string, options: HookGroups): readonly PlacedHandler[] {
  const hooks = new SettingsDocument(text, options).get(rootOf(options));
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((candidate: unknown, group) => {
      if (!v.is(lenientGroup, candidate)) return [];
      const { matcher, hooks } = candidate;
      return hooks.map((handler, index) => ({
        event,
        group,
        index,
        matcher,
        handler,
        ours: options.isOurs(handler),
      }));
    }),
  );
}

/** The text without these handlers, and without whatever had nothing else. */
export function withoutPlaced(text: string, placed: readonly PlacedHandler[], options: HookPlace): string {
  const settings = new SettingsDocument(text, options);
  // From the end, so that the places of the others stay what they are.
  const fromTheEnd = placed.toSorted((a, b) => b.group - a.group || b.index - a.index);
  for (const { event, group, index } of fromTheEnd)
    removeHandler(settings, rootOf(options), [event, group, 'hooks', index]);
  return settings.toString();
}

/** The text with one more handler, in a group of its own at the end of its event. */
export function withHandler(
  text: string,
  { event, matcher, handler }: Pick<PlacedHandler, 'event' | 'matcher' | 'handler'>,
  options: HookPlace,
): string {
  const settings = new SettingsDocument(text, options);
  const root = rootOf(options);
  addRoot(settings, root);
  const added = matcher === undefined ? group(handler) : { matcher, ...group(handler) };
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
    settings.set(list, [group(handler)]);
    return;
  }
  if (!Array.isArray(groups))
    throw unreadable(options.path, `has something other than a list in ${list.join('.')}`);
  const [first, ...more] = ours(settings, event, options);
  if (first === undefined) {
    settings.append(list, group(handler));
    return;
  }
  for (const extra of more.toReversed()) removeHandler(settings, root, extra);
  const path = [...root, ...first];
  if (!isDeepStrictEqual(settings.get(path), handler)) settings.set(path, handler);
}

function removeFrom(settings: SettingsDocument, event: string, options: HookGroups): void {
  for (const path of ours(settings, event, options).toReversed())
    removeHandler(settings, rootOf(options), path);
}

/** A handler below the place of the events: its event, group, the list in it, and its index there. */
type HandlerPath = readonly [event: string, group: number, list: 'hooks', index: number];

/** Removes a handler together with whatever has nothing else: its group, the list of the event, `hooks`. */
function removeHandler(settings: SettingsDocument, root: JsonPath, handler: HandlerPath): void {
  const [event, group, list] = handler;
  const containers: [JsonPath, JsonPath][] = [
    [
      [...root, event, group, list],
      [...root, event, group],
    ],
    [
      [...root, event],
      [...root, event],
    ],
    ...(root.length > 0 ? [[root, root] satisfies [JsonPath, JsonPath]] : []),
  ];
  let widest: JsonPath = [...root, ...handler];
  for (const [list, container] of containers) {
    if (size(settings.get(list)) > 1) break;
    widest = container;
  }
  settings.remove(widest);
}

function ours(settings: SettingsDocument, event: string, options: HookGroups): HandlerPath[] {
  const groups = settings.get([...rootOf(options), event]);
  return (Array.isArray(groups) ? groups : []).flatMap((candidate: unknown, g) =>
    (v.is(lenientGroup, candidate) ? candidate.hooks : []).flatMap((handler, h) =>
      options.isOurs(handler) ? [[event, g, 'hooks', h] satisfies HandlerPath] : [],
    ),
  );
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
