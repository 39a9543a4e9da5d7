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
  /** Which file it is: another one that comes to be there has another text. Without it, the path alone tells. */
  identityOf?(path: string): string;
  /** Whether it is sure that nothing has this name, rather than that it cannot be seen. Without it, it never is. */
  isAbsent?(path: string): boolean;
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
 * `link`: gets another name. `send`: its content goes to another machine. `expose`: passed to a program that may do
 * more than read it.
 */
export type FileAccess = 'read' | 'write' | 'delete' | 'link' | 'send' | 'expose';

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

/**
 * Everything rules ask about one event, each found out once and only if asked. With `this`, so that no method is taken
 * out of it: it would know nothing.
 */
export interface Facts {
  readonly event: HookEvent;
  readonly tool: ToolCall | null;
  /** Where the call starts: in the folder that it names, or where the session is. */
  readonly cwd: string | null;
  readonly world: World;
  readonly memory: SessionMemory;
  /** As the world's, each path followed once; also without its facts. */
  readonly real: (path: string) => string;
  /** As the world's, each folder looked at once. */
  branchOf(this: Facts, folder: string): string | null;
  /** What rules that deny or ask say about reading; null where not all of them could be read. */
  readonly guarded: readonly PathPatterns[] | null;
  analysis(this: Facts): Analysis | null;
  /** Names of the arguments that change how a command line is run; empty where none does. */
  runOptions(this: Facts): readonly string[];
  /** What the call does, one by one: the effects of its command line, and of its tool on files. */
  effects(this: Facts): readonly Found[];
  /** Texts that the call puts into files, as far as it says them. */
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
      // Several command lines of one call are run one after the other, as far as anyone knows.
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
 * Most paths of a call lie below the folder that it starts in: that one is followed by the system, at once, and what is
 * below it name by name. A path may be the folder of another.
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
    // Nothing can be there, and folder by folder the way up would be too long.
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
