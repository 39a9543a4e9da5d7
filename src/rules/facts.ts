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
  /** Whether a person has opened the window in which protected rules rest. */
  unlocked(): boolean;
}

export type Access = 'read' | 'write' | 'delete';

/** Everything rules ask about one event, each found out once and only if asked. */
export interface Facts {
  readonly event: HookEvent;
  readonly tool: ToolCall | null;
  readonly world: World;
  readonly memory: SessionMemory;
  analysis(): Analysis | null;
  /** Words for each effect of a command line. */
  effectTags(): readonly (readonly string[])[];
  touched(access: Access): readonly Touched[];
  hosts(): readonly (string | null)[];
  scope(): PathScope;
  /** The text of a tool's result. */
  output(): string | null;
}

export function createFacts(event: HookEvent, world: World, memory: SessionMemory): Facts {
  const tool = isToolEvent(event) ? event.tool : null;
  const analysis = once(() => (tool?.command == null ? null : analyseCommand(tool.command, event, world)));
  const effects = (): readonly Effect[] => analysis()?.effects ?? [];
  return {
    event,
    tool,
    world,
    memory,
    analysis,
    effectTags: once(() => effects().map(effectTags)),
    touched: (access) => [...shellTouched(effects(), access), ...fileTouched(tool?.files ?? [], access)],
    hosts: once(() => [...shellHosts(effects()), ...urlHosts(tool)]),
    scope: () => ({ home: world.home, project: event.projectId ?? event.cwd, real: world.real }),
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

function analyseCommand(command: string, event: HookEvent, world: World): Analysis {
  return analyse(command, {
    ...(event.cwd === null ? {} : { cwd: event.cwd }),
    ...(world.home === null ? {} : { home: world.home, env: { HOME: world.home } }),
  });
}

const FILE_ACCESS: Readonly<Record<FileOperation['op'], readonly Access[]>> = {
  read: ['read'],
  create: ['write'],
  write: ['write'],
  edit: ['write'],
  delete: ['delete'],
  move: ['delete', 'write'],
};

function fileTouched(files: readonly FileOperation[], access: Access): Touched[] {
  return files
    .filter(({ op }) => FILE_ACCESS[op].includes(access))
    .flatMap(({ op, path, to }) => (op === 'move' && access === 'write' && to ? [to] : [path]))
    .map((path) => ({ path, prefix: null, glob: false, recursive: false }));
}

function shellTouched(effects: readonly Effect[], access: Access): Touched[] {
  const touched: Touched[] = [];
  for (const effect of effects) {
    const { kind } = effect;
    if (kind !== access && !(kind === 'permission' && access === 'write')) continue;
    if (kind !== 'read' && kind !== 'write' && kind !== 'delete' && kind !== 'permission') continue;
    const recursive = (kind === 'delete' || kind === 'permission') && effect.recursive;
    touched.push({ path: effect.path, prefix: effect.prefix, glob: effect.glob, recursive });
  }
  return touched;
}

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
