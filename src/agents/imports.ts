import { isDeepStrictEqual } from 'node:util';
import {
  type HookGroups,
  listHandlers,
  type PlacedHandler,
  withHandlerBack,
  withoutPlaced,
} from './hook-groups.ts';
import { readSettings } from './settings-json.ts';
import type { FileEdit, SetupContext } from './setup.ts';

/** An entry of hooks.yaml, but for its name. */
export type ImportedEntry = Readonly<Record<string, unknown>>;

/** Somebody else's hook in an agent's settings. */
export interface ForeignHook {
  readonly path: string;
  readonly placed: PlacedHandler;
  /** What it is in hooks.yaml; null when it has to stay where it is. */
  readonly entry: ImportedEntry | null;
  /** Why it has to stay. */
  readonly why: string | null;
  /** A word or two to name it by. */
  readonly label: string;
}

/** A hook that was moved, enough to put it back. */
export interface MovedHook {
  readonly path: string;
  readonly event: string;
  readonly matcher: unknown;
  readonly handler: unknown;
}

/** Finds hooks in an agent's settings, takes chosen ones out and puts them back. */
export interface AgentImports {
  find(context: SetupContext): readonly ForeignHook[];
  /** Nothing is written by this. */
  without(context: SetupContext, hooks: readonly ForeignHook[]): readonly FileEdit[];
  /** For a file that was changed since: the hooks that are missing, each in a group at the end of its event. */
  withBack(context: SetupContext, hooks: readonly MovedHook[]): readonly FileEdit[];
}

/** A file with hooks, and what an entry made of one of them has in it besides. */
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

export interface ImportWords {
  sources(context: SetupContext): readonly HookSource[];
  groups(path: string): HookGroups;
  /** The entry for a handler, or why there is none. */
  entry(placed: PlacedHandler, source: HookSource): { entry: ImportedEntry } | { why: string };
  /** Edits that belong to a change of a file of hooks. */
  also?(context: SetupContext, edit: FileEdit, gone: readonly PlacedHandler[]): readonly FileEdit[];
}

/** Imports for agents that keep hooks in groups under events. */
export function importsFrom(words: ImportWords): AgentImports {
  return {
    find: (context) =>
      words.sources(context).flatMap((source) => {
        const text = readSettings(source.path);
        if (text === null) return [];
        const placed = listHandlers(text, words.groups(source.path)).filter(({ ours }) => !ours);
        return placed.map((one) => {
          const read = words.entry(one, source);
          const entry = 'entry' in read ? withSource(read.entry, source) : null;
          return {
            path: source.path,
            placed: one,
            entry,
            why: 'why' in read ? read.why : null,
            label: labelOf(one.handler),
          };
        });
      }),

    without(context, hooks) {
      const paths = [...new Set(hooks.map(({ path }) => path))];
      return paths.flatMap((path) => {
        const before = readSettings(path);
        if (before === null) return [];
        const gone = hooks.filter((hook) => hook.path === path).map(({ placed }) => placed);
        const edit = { path, before, after: withoutPlaced(before, gone, words.groups(path)) };
        return [edit, ...(words.also?.(context, edit, gone) ?? [])];
      });
    },

    withBack(_context, hooks) {
      const paths = [...new Set(hooks.map(({ path }) => path))];
      return paths.flatMap((path) => {
        const before = readSettings(path);
        const groups = words.groups(path);
        let after = before ?? '{}\n';
        for (const hook of hooks.filter((one) => one.path === path)) {
          const isThere = listHandlers(after, groups).some(
            ({ event, handler }) => event === hook.event && isDeepStrictEqual(handler, hook.handler),
          );
          if (!isThere) after = withHandlerBack(after, hook, groups);
        }
        return after === before ? [] : [{ path, before, after }];
      });
    },
  };
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
