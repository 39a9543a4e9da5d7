import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ImportedRules } from '../../model/rule-drafts.ts';
import {
  type HookGroups,
  listHandlers,
  narrows,
  type PlacedHandler,
  withHandler,
  withoutPlaced,
} from './hook-groups.ts';
import { readSettings } from './settings-json.ts';
import { changed, type FileEdit, type SetupContext } from './setup.ts';

/** An entry of hooks.yaml without its name. */
type ImportedEntry = Readonly<Record<string, unknown>>;

/** A hook in an agent's settings that is not ours. */
export interface ForeignHook {
  readonly path: string;
  readonly placed: PlacedHandler;
  /** What it is in hooks.yaml; null when it has to stay where it is. */
  readonly entry: ImportedEntry | null;
  /** Why it has to stay. */
  readonly why: string | null;
  /** What is odd about it, and moves with it. */
  readonly warning: string | null;
  /** A word or two to name it by. */
  readonly label: string;
}

/** A hook that was moved, enough to restore it. */
interface MovedHook {
  readonly path: string;
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: unknown;
}

/** Finds hooks in an agent's settings, and plans to remove and to restore chosen ones. */
export interface AgentImports {
  find(context: SetupContext): readonly ForeignHook[];
  /** The edits that remove these hooks. */
  remove(context: SetupContext, hooks: readonly ForeignHook[]): readonly FileEdit[];
  /** The edits that put missing hooks back, each in a group at the end of its event. */
  restore(context: SetupContext, hooks: readonly MovedHook[]): readonly FileEdit[];
}

/** A file with hooks, and what it adds to the entries made of them. */
export interface HookSource {
  readonly path: string;
  /** The project it is for; null for all. */
  readonly project: string | null;
  readonly env?: Readonly<Record<string, string>>;
}

/** The files of the user and of the project, which may be one and the same. */
export function scopedSources(
  context: SetupContext,
  pathIn: (context: SetupContext) => string,
): readonly HookSource[] {
  const user = pathIn({ ...context, scope: 'user' });
  const project = pathIn({ ...context, scope: 'project' });
  return [
    { path: user, project: null },
    ...(project === user ? [] : [{ path: project, project: context.cwd }]),
  ];
}

/** The files with an ending in some folders, by name; a folder that does not exist has none. */
export function filesIn(folders: readonly string[], ending: string): readonly string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .sort()
        .map((name) => join(folder, name)),
    );
}

/** How an agent's own permissions become rules. */
export interface PermissionImport {
  /** The files that exist, for this user and this project. */
  files(context: Pick<SetupContext, 'home' | 'cwd' | 'env'>): readonly string[];
  /** Throws SETTINGS_UNREADABLE. */
  read(text: string, path: string): ImportedRules;
}

interface ImportClient {
  /** The agent that the hooks are written for. */
  readonly id: string;
  sources(context: SetupContext): readonly HookSource[];
  groups(path: string): HookGroups;
  /** The fields of the entry for a handler besides its event and matcher, or why it cannot be moved. */
  entry(
    placed: PlacedHandler,
    source: HookSource,
  ): { readonly type: string; readonly [field: string]: unknown } | { readonly why: string };
  /** Edits that belong to the removal of hooks from a file. */
  also?(context: SetupContext, edit: FileEdit, removed: readonly PlacedHandler[]): readonly FileEdit[];
}

/** Imports for agents that keep hooks in groups under events. */
export function importsFrom(client: ImportClient): AgentImports {
  return {
    find: (context) =>
      client.sources(context).flatMap((source) => {
        const text = readSettings(source.path);
        const handlers = text === null ? [] : listHandlers(text, client.groups(source.path));
        return handlers.filter(({ ours }) => !ours).map((placed) => foreignHook(client, source, placed));
      }),
    remove: (context, hooks) =>
      byPath(hooks).flatMap(([path, own]) => {
        const before = readSettings(path);
        if (before === null) return [];
        const removed = own.map(({ placed }) => placed);
        const edit = { path, before, after: withoutPlaced(before, removed, client.groups(path)) };
        return [edit, ...(client.also?.(context, edit, removed) ?? [])];
      }),
    restore: (_context, hooks) =>
      byPath(hooks).flatMap(([path, own]) => {
        const before = readSettings(path);
        const groups = client.groups(path);
        const after = own.reduce(
          (text, hook) => (hasHook(text, hook, groups) ? text : withHandler(text, hook, groups)),
          before ?? '{}\n',
        );
        return changed({ path, before, after });
      }),
  };
}

function foreignHook(client: ImportClient, source: HookSource, placed: PlacedHandler): ForeignHook {
  const { event, matcher, handler } = placed;
  const read = client.entry(placed, source);
  const common = { path: source.path, placed, label: labelOf({ ...Object(handler), ...read }) };
  if (!('type' in read)) return { ...common, entry: null, why: read.why, warning: null };
  const { type, ...fields } = read;
  const where = { dialect: client.id, event, ...(narrows(matcher) ? { matcher } : {}) };
  const entry = withSource({ type, ...where, ...fields, from: client.id }, source);
  return { ...common, entry, why: null, warning: longTimeout(entry.timeout) };
}

/** Warns of a timeout of hours, which probably meant milliseconds. */
function longTimeout(timeout: unknown): string | null {
  const seconds = typeof timeout === 'string' ? Number(/^(\d+(?:\.\d+)?)s$/.exec(timeout)?.[1]) : Number.NaN;
  if (!(seconds >= 1000)) return null;
  const hours = (seconds / 3600).toFixed(1);
  return `its timeout is in seconds, and ${seconds} are ${hours} hours: write ${Math.round(seconds / 1000)} if milliseconds were meant`;
}

function hasHook(text: string, hook: MovedHook, groups: HookGroups): boolean {
  return listHandlers(text, groups).some(
    ({ event, handler }) => event === hook.event && isDeepStrictEqual(handler, hook.handler),
  );
}

function byPath<T extends { readonly path: string }>(
  hooks: readonly T[],
): readonly (readonly [string, T[]])[] {
  const paths = [...new Set(hooks.map(({ path }) => path))];
  return paths.map((path) => [path, hooks.filter((hook) => hook.path === path)]);
}

function withSource(entry: ImportedEntry, { project, env }: HookSource): ImportedEntry {
  const own = typeof entry.env === 'object' && entry.env !== null ? entry.env : {};
  const all = { ...env, ...own };
  return {
    ...entry,
    ...(Object.keys(all).length > 0 && entry.type === 'command' ? { env: all } : {}),
    ...(project === null ? {} : { project }),
  };
}

/** The name of the script, or the host of a server. */
function labelOf(handler: unknown): string {
  const { command, url, type }: Record<string, unknown> = Object(handler);
  if (typeof url === 'string') return /^\w+:\/\/([^/:]+)/.exec(url)?.[1] ?? 'http';
  if (typeof command !== 'string') return String(type ?? 'hook');
  const words = command.split(/["'\s]+/).filter(Boolean);
  const script = words.findLast((word) => /\.\w{1,4}$|\//.test(word)) ?? words[0] ?? 'hook';
  return (
    script
      .split('/')
      .at(-1)
      ?.replace(/\.\w+$/, '')
      .replace(/[^\w-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'hook'
  );
}
