import { isAbsolute, resolve } from 'node:path';
import { type HookEvent, isToolEvent, projectFolderOf } from '../model/events.ts';
import type { ReadingTool, ToolCall } from '../model/tools.ts';
import { remember } from '../platform/bounded.ts';
import type { Analysis, Certainty, Effect } from '../shell/analysis.ts';
import { posixFolder } from '../shell/places/windows-paths.ts';
import { analyseCommand } from './analyse-command.ts';
import { type CallFacts, callFacts } from './calls/facts.ts';
import { filesWritten, type WrittenFile } from './calls/written.ts';
import type { PathPatterns, PathScope, Touched } from './match/paths.ts';
import type { OwnProcess } from './self/processes.ts';
import { withHookScripts } from './self/references.ts';
import type { SessionMemory } from './session/memory.ts';
import { effectsOfTool, foundInShell, foundInText, LONGEST_PATH, type Places } from './tool-effects.ts';
import { createGlobExpander } from './world/glob-expander.ts';
import type { SeenPaths } from './world/real-path.ts';
import type { Uncommitted } from './world/uncommitted.ts';

/** What rules may ask about the environment of an event. Computed only on demand. */
export interface World {
  readonly home: string | null;
  now(): number;
  /** Resolves symbolic links as far as the path exists; `seen` has earlier results. */
  real(path: string, seen?: SeenPaths): string;
  /** The branch checked out in a directory; null outside a repository. */
  branchOf(folder: string): string | null;
  /** Whether a repository has uncommitted changes; null outside one. */
  treeOf(folder: string): 'clean' | 'dirty' | null;
  /** The root of the repository around a directory; null if there is none, and without this function. */
  treeRoot?(folder: string): string | null;
  /** Uncommitted files of the repository in a directory; null if uncertain, and without this function. */
  uncommittedIn?(root: string): Uncommitted | null;
  /** True if the file exists. Without this function, none does. */
  exists?(path: string): boolean;
  /** The names in a directory; null if missing or too many. Without this function, directories are unknown. */
  namesIn?(folder: string): readonly string[] | null;
  /**
   * All files below a directory except skipped ones; null if there are too many. Without this function, they are
   * unknown.
   */
  filesBelow?(folder: string, isSkipped: (name: string) => boolean): readonly string[] | null;
  /** Time of the last change to a file or to the link itself; null if missing, and without this function. */
  changedAt?(path: string): number | null;
  /**
   * Identity of a file: a replacement at the same path has another one. Without this function, only the path counts.
   */
  identityOf?(path: string): string;
  /**
   * True if the name certainly doesn't exist, rather than being invisible. Without this function, it is never certain.
   */
  isAbsent?(path: string): boolean;
  /** Content of a text file such as a script. Null if it is not one, `UNKNOWN` if it can't be read completely. */
  scriptText?(path: string): string | null;
  /** Scripts that agent settings name, in a project and in the home. Without this function, none are known. */
  hookScripts?(project: string | null): readonly string[];
  /** True if git starts programs when it reads in this directory. Without this function, it may. */
  startsPrograms?(folder: string): boolean;
  /** Arguments of a shell tool that change how its command runs. */
  runOptions(source: string, tool: ToolCall): Readonly<Record<string, unknown>>;
  /** The tools of an agent that only read. Without this function, none do. */
  readingTools?(source: string): Readonly<Record<string, ReadingTool>>;
  /** Programs of agents, by package name. */
  readonly programs?: ReadonlyMap<string, string>;
  /** Hookline's own processes. Without this function, none are known. */
  ownProcesses?(): readonly OwnProcess[];
  /** True while a person has paused protected rules. */
  unlocked(): boolean;
}

/**
 * `link`: gets another name. `send`: its content goes to another machine. `expose`: passed to a program that may do
 * more than read it.
 */
export type FileAccess = 'read' | 'write' | 'delete' | 'link' | 'send' | 'expose';

/** One effect of a call. */
export interface Found {
  /** Its tags, the kind first. */
  readonly tags: readonly string[];
  /** The command that causes it; null for a tool other than a shell. */
  readonly command: number | null;
  /** Null for an effect that is not on a file. */
  readonly access: FileAccess | null;
  readonly touched: Touched;
  readonly certainty: Certainty;
}

/**
 * Everything that rules ask about one event, computed once on demand. The methods need `this`, so don't detach them.
 */
export interface Facts {
  readonly event: HookEvent;
  readonly tool: ToolCall | null;
  /** Starting directory: the one that the call names, or the session's. */
  readonly cwd: string | null;
  readonly world: World;
  readonly memory: SessionMemory;
  /** Like the world's, with each path resolved once; works detached. */
  readonly real: (path: string) => string;
  /** Like the world's, with each directory checked once. */
  branchOf(this: Facts, folder: string): string | null;
  /** Read conditions of deny and ask rules; null if some of them could not be read. */
  readonly guarded: readonly PathPatterns[] | null;
  analysis(this: Facts): Analysis | null;
  /** Names of the arguments that change how a command line runs. */
  runOptions(this: Facts): readonly string[];
  /** The effects of the call: those of its command line, and those of its tool on files. */
  effects(this: Facts): readonly Found[];
  /** Texts that the call writes to files, as far as known. */
  written(this: Facts): readonly WrittenFile[];
  hosts(this: Facts): readonly (string | null)[];
  scope(this: Facts): PathScope;
  /** The text of a tool's result. */
  output(this: Facts): string | null;
}

export function createFacts(
  event: HookEvent,
  world: World,
  memory: SessionMemory,
  guarded: Facts['guarded'] = [],
): Facts {
  return new EventFacts(event, world, memory, guarded);
}

/** A class, so that methods are created once and not per event. Undefined fields are not computed yet. */
class EventFacts implements Facts {
  readonly event: HookEvent;
  readonly tool: ToolCall | null;
  readonly cwd: string | null;
  readonly world: World;
  readonly memory: SessionMemory;
  readonly guarded: Facts['guarded'];
  readonly real: Facts['real'];
  private readonly here: Places;
  private foundBranches: Facts['branchOf'] | undefined;
  private foundDerived: CallFacts | null | undefined;
  private foundAnalysis: Analysis | null | undefined;
  private foundWritten: readonly WrittenFile[] | undefined;
  private foundEffects: readonly Found[] | undefined;
  private foundHosts: readonly (string | null)[] | undefined;
  private foundScope: PathScope | undefined;
  private foundExpansion: PathScope['expand'] | undefined;

  constructor(event: HookEvent, world: World, memory: SessionMemory, guarded: Facts['guarded']) {
    this.event = event;
    this.tool = isToolEvent(event) ? event.tool : null;
    this.cwd = posixFolder(cwdOf(event));
    this.world = world;
    this.memory = memory;
    this.guarded = guarded;
    const paths = new RealPaths(world, this.cwd);
    this.real = (path) => paths.follow(path, false);
    this.here = placesOf(event, world);
  }

  branchOf(folder: string): string | null {
    this.foundBranches ??= remember(this.world.branchOf);
    return this.foundBranches(folder);
  }

  analysis(): Analysis | null {
    if (this.foundAnalysis === undefined) {
      // Assumes that several command lines of one call run in sequence.
      const command = this.tool?.command ?? (this.derived()?.commands.join('\n') || null);
      this.foundAnalysis = command === null ? null : analyseCommand(command, this);
    }
    return this.foundAnalysis;
  }

  runOptions(): readonly string[] {
    return this.tool === null ? [] : Object.keys(this.world.runOptions(this.event.source, this.tool));
  }

  effects(): readonly Found[] {
    this.foundEffects ??= this.findEffects();
    return this.foundEffects;
  }

  written(): readonly WrittenFile[] {
    this.foundWritten ??=
      this.tool === null ? [] : filesWritten(this.tool, this.derived(), this.analysis(), this);
    return this.foundWritten;
  }

  hosts(): readonly (string | null)[] {
    this.foundHosts ??= [
      ...shellHosts(this.analysis()?.effects ?? []),
      ...(this.derived()?.addresses ?? []).map(({ host }) => host),
    ];
    return this.foundHosts;
  }

  scope(): PathScope {
    this.foundScope ??= {
      home: posixFolder(this.world.home),
      project: this.here.project,
      real: this.real,
      expand: (glob) => this.expand(glob),
    };
    return this.foundScope;
  }

  private expand(glob: string): readonly string[] | null {
    this.foundExpansion ??= remember(createGlobExpander(this.world, () => this.analysis()));
    return this.foundExpansion(glob);
  }

  output(): string | null {
    const { event } = this;
    return event.type === 'after_tool' ? outputText(event.tool.response, event.tool.error) : null;
  }

  private derived(): CallFacts | null {
    if (this.foundDerived === undefined)
      this.foundDerived =
        this.tool === null ? null : callFacts(this.tool, () => this.memory.pages.of(this.event));
    return this.foundDerived;
  }

  private findEffects(): readonly Found[] {
    const ofShell = foundInShell(this.analysis(), this.world.home);
    const byTool = this.tool === null ? [] : effectsOfTool(this.tool, this.derived(), this.here);
    const written = this.written();
    const others = written.length === 0 ? byTool : [...byTool, ...written.flatMap(foundInText)];
    const all = others.length === 0 ? ofShell : [...ofShell, ...others];
    return withHookScripts(all, this, this.here.project);
  }
}

function placesOf(event: HookEvent, { home }: World): Places {
  return { cwd: posixFolder(event.cwd), home, project: posixFolder(projectFolderOf(event) ?? event.cwd) };
}

/**
 * Most paths of a call are below its starting directory. The system resolves that one at once, and the names below it
 * are resolved one by one.
 */
class RealPaths implements SeenPaths {
  readonly missing: Set<string> = new Set();
  private readonly known = new Map<string, string>();
  private readonly world: World;
  private readonly start: string;

  constructor(world: World, cwd: string | null) {
    this.world = world;
    this.start = cwd ?? '/';
  }

  ofFolder(folder: string): string {
    return this.follow(folder, true);
  }

  follow(path: string, isFolder: boolean): string {
    // Such a path can't exist, and resolving it step by step would take too long.
    if (path.length > LONGEST_PATH) return path;
    const before = this.known.get(path);
    if (before !== undefined) return before;
    const real = this.find(path, isFolder);
    this.known.set(path, real);
    return real;
  }

  private find(path: string, isFolder: boolean): string {
    const { start, missing, world } = this;
    if (path === start || isAbove(path, start)) {
      const realStart = this.known.get(start) ?? world.real(start, { missing });
      this.known.set(start, realStart);
      if (path === start || realStart === start) return path === start ? realStart : path;
    }
    return world.real(path, isFolder && !isAbove(start, path) ? { missing } : this);
  }
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
