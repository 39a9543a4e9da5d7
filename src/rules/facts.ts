import { isAbsolute, resolve } from 'node:path';
import { type HookEvent, isToolEvent, projectFolderOf } from '../model/events.ts';
import type { ReadingTool, ToolCall } from '../model/tools.ts';
import { once, remember } from '../platform/bounded.ts';
import type { Analysis, Certainty, Effect } from '../shell/analysis.ts';
import { posixFolder } from '../shell/places/windows-paths.ts';
import { analyseCommand } from './analyse-command.ts';
import { callFacts } from './calls/facts.ts';
import { filesWritten, type WrittenFile } from './calls/written.ts';
import { doneBy, foundInShell, foundInText, LONGEST_PATH, type Places } from './found.ts';
import type { PathPatterns, PathScope, Touched } from './match/paths.ts';
import type { OwnProcess } from './self/processes.ts';
import { withHookScripts } from './self/references.ts';
import type { SessionMemory } from './session/memory.ts';
import { createExpansion } from './world/expansion.ts';
import type { SeenPaths } from './world/real-path.ts';
import type { Uncommitted } from './world/uncommitted.ts';

/** What rules may want to know of the world around an event. Asked only when a rule does. */
export interface World {
  readonly home: string | null;
  now(): number;
  /** The path with its symbolic links followed, as far as it exists; `seen` is what those before it have shown. */
  real(path: string, seen?: SeenPaths): string;
  /** The branch that is checked out in a folder; null outside a repository. */
  branchOf(folder: string): string | null;
  /** Whether a repository has changes that are not committed; null outside one. */
  treeOf(folder: string): 'clean' | 'dirty' | null;
  /** The folder of the repository around a folder; null outside of one. Without it, there is none. */
  treeRoot?(folder: string): string | null;
  /** What no commit has of the repository in a folder; null where that is not sure. Without it, it never is. */
  uncommittedIn?(root: string): Uncommitted | null;
  /** Whether there is such a file. Without it, there is none. */
  exists?(path: string): boolean;
  /** The names in a folder; null where there is none, or too many. Without it, nothing is known of folders. */
  namesIn?(folder: string): readonly string[] | null;
  /** All files below a folder but those left out; null where there are too many. Without it, nothing is known of them. */
  filesBelow?(folder: string, isSkipped: (name: string) => boolean): readonly string[] | null;
  /** When a file, or the link itself, was last changed in any way; null where there is none. Without it, there is none. */
  changedAt?(path: string): number | null;
  /** What is in a text file, such as a script: null where it is none, `UNKNOWN` where it cannot be read to its end. */
  scriptText?(path: string): string | null;
  /** The scripts that settings of agents name, in a project and in the home. Without it, none is known. */
  hookScripts?(project: string | null): readonly string[];
  /** Whether git starts programs when it reads in this folder. Without it, it may. */
  startsPrograms?(folder: string): boolean;
  /** Arguments of a shell tool that change how its command runs; empty where none does. */
  runOptions(source: string, tool: ToolCall): Readonly<Record<string, unknown>>;
  /** The tools of an agent that only look. Without it, none does. */
  readingTools?(source: string): Readonly<Record<string, ReadingTool>>;
  /** The programs of agents, by the names of their packages. */
  readonly programs?: ReadonlyMap<string, string>;
  /** Hookline's own processes. Without it, none are known. */
  ownProcesses?(): readonly OwnProcess[];
  /** Whether a person has opened the window in which protected rules are paused. */
  unlocked(): boolean;
}

/**
 * `link`: it gets another name. `send`: what is in it goes to another machine. `give`: a program gets it of which
 * nobody knows that it only reads it.
 */
export type FileAccess = 'read' | 'write' | 'delete' | 'link' | 'send' | 'give';

/** One thing that a call does. */
export interface Found {
  /** The words for it, its kind first. */
  readonly tags: readonly string[];
  /** Which command of the line does it; null for a tool that is not a shell. */
  readonly command: number | null;
  /** Null for an effect on no file. */
  readonly access: FileAccess | null;
  readonly touched: Touched;
  readonly certainty: Certainty;
}

/** Everything rules ask about one event, each found out once and only if asked. */
export interface Facts {
  readonly event: HookEvent;
  readonly tool: ToolCall | null;
  /** Where the call starts: in the folder that it names, or where the session is. */
  readonly cwd: string | null;
  readonly world: World;
  readonly memory: SessionMemory;
  /** As the world's, each path followed once. */
  real(path: string): string;
  /** As the world's, each folder looked at once. */
  branchOf(folder: string): string | null;
  /** What rules that deny or ask say about reading; null where not all of them could be read. */
  readonly guarded: readonly PathPatterns[] | null;
  analysis(): Analysis | null;
  /** Names of the arguments that change how a command line is run; empty where none does. */
  runOptions(): readonly string[];
  /** What the call does, one by one: the effects of its command line, and of its tool on files. */
  effects(): readonly Found[];
  /** Texts that the call puts into files, as far as it says them. */
  written(): readonly WrittenFile[];
  hosts(): readonly (string | null)[];
  scope(): PathScope;
  /** The text of a tool's result. */
  output(): string | null;
}

export function createFacts(
  event: HookEvent,
  world: World,
  memory: SessionMemory,
  guarded: Facts['guarded'] = [],
): Facts {
  const tool = isToolEvent(event) ? event.tool : null;
  const cwd = posixFolder(cwdOf(event));
  const real = rememberReal(world, cwd);
  const here = placesOf(event, world);
  const derived = once(() => (tool === null ? null : callFacts(tool)));
  const analysis = once(() => {
    // Several command lines of one call are run one after the other, as far as anybody knows.
    const command = tool?.command ?? (derived()?.commands.join('\n') || null);
    return command === null ? null : analyseCommand(command, { event, cwd, world, real, memory });
  });
  const written = once(() =>
    tool === null ? [] : filesWritten(tool, derived(), analysis(), { event, world, real }),
  );
  const expand = once(() => remember(createExpansion(world, analysis)));
  const scope = once(() => ({ ...here, home: posixFolder(world.home), real, expand: expand() }));
  return {
    event,
    tool,
    cwd,
    world,
    memory,
    real,
    branchOf: remember(world.branchOf),
    guarded,
    analysis,
    runOptions: () => (tool === null ? [] : Object.keys(world.runOptions(event.source, tool))),
    effects: once(() => {
      const ofShell = foundInShell(analysis(), world.home);
      const byTool = tool === null ? [] : doneBy(tool, derived(), here);
      const others = written().length === 0 ? byTool : [...byTool, ...written().flatMap(foundInText)];
      const all = others.length === 0 ? ofShell : [...ofShell, ...others];
      return withHookScripts(all, () => world.hookScripts?.(here.project), scope);
    }),
    written,
    hosts: once(() => [
      ...shellHosts(analysis()?.effects ?? []),
      ...(derived()?.addresses ?? []).map(({ host }) => host),
    ]),
    scope,
    output: () => (event.type === 'after_tool' ? outputText(event.tool.response, event.tool.error) : null),
  };
}

function placesOf(event: HookEvent, { home }: World): Places {
  return { cwd: posixFolder(event.cwd), home, project: posixFolder(projectFolderOf(event) ?? event.cwd) };
}

/**
 * Most paths of a call lie below the folder that it starts in: that one is followed by the system, at once, and what is
 * below it name by name. A path may be the folder of another.
 */
function rememberReal(world: World, cwd: string | null): Facts['real'] {
  const start = cwd ?? '/';
  const known = new Map<string, string>();
  const missing = new Set<string>();
  const follow = (path: string, isFolder: boolean): string => {
    if (path === start || isAbove(path, start)) {
      const realStart = known.get(start) ?? world.real(start, { missing });
      known.set(start, realStart);
      if (path === start || realStart === start) return path === start ? realStart : path;
    }
    return world.real(path, isFolder && !isAbove(start, path) ? { missing } : byFolder);
  };
  const find = (path: string, isFolder: boolean): string => {
    // Nothing can be there, and folder by folder the way up would be too long.
    if (path.length > LONGEST_PATH) return path;
    const before = known.get(path);
    if (before !== undefined) return before;
    const real = follow(path, isFolder);
    known.set(path, real);
    return real;
  };
  const byFolder: SeenPaths = { ofFolder: (folder) => find(folder, true), missing };
  return (path) => find(path, false);
}

function isAbove(folder: string, path: string): boolean {
  return path.startsWith(folder) && path[folder.length] === '/';
}

function cwdOf(event: HookEvent): string | null {
  const own = isToolEvent(event) ? event.tool.cwd : undefined;
  if (own === undefined) return event.cwd;
  if (event.cwd !== null) return resolve(event.cwd, own);
  return isAbsolute(own) ? own : null;
}

function shellHosts(effects: readonly Effect[]): (string | null)[] {
  return effects.flatMap((effect) =>
    effect.kind === 'network' ? [effect.host] : effect.kind === 'execute' && effect.host ? [effect.host] : [],
  );
}

function outputText(response: unknown, error: string | null): string {
  const text = typeof response === 'string' ? response : (JSON.stringify(response) ?? '');
  return error === null ? text : `${error}\n${text}`;
}
