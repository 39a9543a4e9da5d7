import { resolve } from 'node:path';
import { type HookEvent, isToolEvent } from '../model/events.ts';
import type { FileOperation, ToolCall } from '../model/tools.ts';
import { analyse } from '../shell/analyse.ts';
import type { Analysis, Effect } from '../shell/analysis.ts';
import { effectTags } from './match/effect-tags.ts';
import type { PathScope, Touched } from './match/paths.ts';
import type { SessionMemory } from './memory.ts';

/** What rules may want to know of the world around an event. Asked only when a rule does. */
export interface World {
  readonly home: string | null;
  now(): number;
  /** The path with its symbolic links followed, as far as it exists. */
  real(path: string): string;
  /** The branch that is checked out in a folder; null outside a repository. */
  branchOf(folder: string): string | null;
  /** Whether a repository has changes that are not committed; null outside one. */
  treeOf(folder: string): 'clean' | 'dirty' | null;
  /** Whether there is such a file. Without it, there is none. */
  exists?(path: string): boolean;
  /** Whether a person has opened the window in which protected rules rest. */
  unlocked(): boolean;
}

export type Access = 'read' | 'write' | 'delete';

/** One thing that a call does. */
export interface Found {
  /** The words for it, its kind first. */
  readonly tags: readonly string[];
  /** Which command of the line does it; null for a tool that is no shell. */
  readonly command: number | null;
  /** Null for an effect on no file. */
  readonly access: Access | null;
  readonly touched: Touched;
}

/** Everything rules ask about one event, each found out once and only if asked. */
export interface Facts {
  readonly event: HookEvent;
  readonly tool: ToolCall | null;
  readonly world: World;
  readonly memory: SessionMemory;
  analysis(): Analysis | null;
  /** What the call does, one by one: the effects of its command line, and of its tool on files. */
  effects(): readonly Found[];
  hosts(): readonly (string | null)[];
  scope(): PathScope;
  /** The text of a tool's result. */
  output(): string | null;
}

export function createFacts(event: HookEvent, world: World, memory: SessionMemory): Facts {
  const tool = isToolEvent(event) ? event.tool : null;
  const analysis = once(() => (tool?.command == null ? null : analyseCommand(tool.command, event, world)));
  const shellEffects = (): readonly Effect[] => analysis()?.effects ?? [];
  return {
    event,
    tool,
    world,
    memory,
    analysis,
    effects: once(() => [
      ...shellEffects().map(foundIn),
      ...(tool?.files ?? []).flatMap((file) => foundOf(file, event.cwd)),
    ]),
    hosts: once(() => [...shellHosts(shellEffects()), ...urlHosts(tool)]),
    scope: once(() => ({
      home: world.home,
      project: event.projectId ?? event.cwd,
      real: remembered(world.real),
    })),
    output: () => (event.type === 'after_tool' ? outputText(event.tool.response, event.tool.error) : null),
  };
}

function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** Asking the file system is dear, and many rules ask for the same path. */
function remembered(real: (path: string) => string): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    let found = known.get(path);
    if (found === undefined) {
      found = real(path);
      known.set(path, found);
    }
    return found;
  };
}

const REMEMBERED_ANALYSES = 512;
const LONGEST_REMEMBERED = 10_000;
const analysed = new Map<string, Analysis>();

/** One call is asked about several times, and agents run the same commands again and again. */
function analyseCommand(command: string, event: HookEvent, world: World): Analysis {
  const key = `${event.cwd}\0${world.home}\0${command}`;
  const known = analysed.get(key);
  if (known) return known;
  const analysis = analyse(command, {
    ...(event.cwd === null ? {} : { cwd: event.cwd }),
    ...(world.home === null ? {} : { home: world.home }),
    // Whatever it is called on this machine, it is where temporary files go.
    env: { TMPDIR: '/tmp', ...(world.home === null ? {} : { HOME: world.home }) },
  });
  if (command.length > LONGEST_REMEMBERED) return analysis;
  analysed.set(key, analysis);
  const oldest = analysed.size > REMEMBERED_ANALYSES ? analysed.keys().next() : null;
  if (oldest && !oldest.done) analysed.delete(oldest.value);
  return analysis;
}

const FILE_ACCESS: Readonly<Record<FileOperation['op'], readonly Access[]>> = {
  read: ['read'],
  create: ['write'],
  write: ['write'],
  edit: ['write'],
  delete: ['delete'],
  move: ['delete', 'write'],
};

function foundOf({ op, path, to }: FileOperation, cwd: string | null): Found[] {
  // Agents give paths from where they work, which is not where Hookline runs.
  const place = (given: string) => (cwd === null ? given : resolve(cwd, given));
  return FILE_ACCESS[op].map((access) => ({
    tags: [access],
    command: null,
    access,
    touched: {
      path: place(op === 'move' && access === 'write' && to ? to : path),
      prefix: null,
      glob: false,
      recursive: false,
    },
  }));
}

/** No file has a longer name, so that whatever this is, it is not where it says. */
const LONGEST_PATH = 4096;

function foundIn(effect: Effect): Found {
  if ('prefix' in effect && effect.path !== null && effect.path.length > LONGEST_PATH)
    return foundIn({ ...effect, path: null });
  const tags = effectTags(effect);
  const { command } = effect;
  switch (effect.kind) {
    case 'read':
    case 'write': {
      const { path, prefix, glob } = effect;
      return { tags, command, access: effect.kind, touched: { path, prefix, glob, recursive: false } };
    }
    case 'delete':
    case 'permission': {
      const { path, prefix, glob, recursive } = effect;
      // Who may do what with a file is written in the file's own entry.
      const access = effect.kind === 'delete' ? 'delete' : 'write';
      return { tags, command, access, touched: { path, prefix, glob, recursive } };
    }
    default:
      return { tags, command, access: null, touched: NOWHERE };
  }
}

const NOWHERE: Touched = { path: null, prefix: null, glob: false, recursive: false };

function shellHosts(effects: readonly Effect[]): (string | null)[] {
  return effects.flatMap((effect) =>
    effect.kind === 'network' ? [effect.host] : effect.kind === 'execute' && effect.host ? [effect.host] : [],
  );
}

function urlHosts(tool: ToolCall | null): string[] {
  const url = tool?.kind === 'network' ? tool.input.url : null;
  return typeof url === 'string' && URL.canParse(url) ? [new URL(url).hostname] : [];
}

function outputText(response: unknown, error: string | null): string {
  const text = typeof response === 'string' ? response : (JSON.stringify(response) ?? '');
  return error === null ? text : `${error}\n${text}`;
}
