import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import { isTrusted } from '../rules/trust.ts';
import { type CodeFolder, openCodeFolder } from './code/folder.ts';
import { createStates } from './code/states.ts';
import { commandHook } from './command.ts';
import { type HooksFile, NO_HOOKS, type PlacedEntry, parseHooks } from './config-file.ts';
import { createWard, type Ward } from './health.ts';
import { type Hook, type HookProblem, unreadable } from './hook.ts';
import { httpHook } from './http.ts';
import { endProcesses } from './process.ts';
import { promptHook } from './prompt.ts';
import { createPromptMemory } from './prompt-memory.ts';
import { speakers } from './translate.ts';

export interface HookPlaces {
  /** Folder of hooks written in code. */
  readonly hooks: string;
  /** The file that names all others. */
  readonly hooksFile: string;
  readonly trust: string;
}

/** All the hooks there are: the home's own code, what hooks.yaml names, and the code of a trusted project. */
export interface HookBook {
  readonly ward: Ward;
  /** In the order in which they are asked. */
  hooksFor(project: string | null): Promise<readonly Hook[]>;
  /** Those that were asked for last, without waiting for any that is being loaded. */
  known(): readonly Hook[];
  problems(): readonly HookProblem[];
  close(): void;
}

export function openHooks(places: HookPlaces, agents: ReadonlyMap<string, Agent>): HookBook {
  const all = speakers(agents);
  const ward = createWard();
  const states = createStates();
  const memory = createPromptMemory();
  const changed = (names: readonly string[]) => {
    for (const name of names) ward.forget(name);
  };
  const home = openCodeFolder(places.hooks, { states, within: null, changed });
  const projects = new Map<string, CodeFolder>();
  let file: HooksFile = NO_HOOKS;
  let named: readonly Hook[] = [];
  let problems: readonly HookProblem[] = [];
  let stamp: string | null = '';
  let known: readonly Hook[] = [];

  function hookOf(placed: PlacedEntry): Hook {
    const { entry } = placed;
    switch (entry.type) {
      case 'command':
        return commandHook(placed, entry, all);
      case 'http':
        return httpHook(placed, entry, all);
      case 'prompt':
        return promptHook(placed, entry, all, file.providers.get(entry.provider), memory);
    }
  }

  function refreshFile(): void {
    const now = stampOf(places.hooksFile);
    if (now !== null && now === stamp) return;
    stamp = now;
    const read = now === '' ? NO_HOOKS : readHooks(places.hooksFile);
    // A slip of the keyboard must not lift a guard: while the file cannot be read, the last good one counts.
    if (read.problems.length > 0 && named.length > 0) {
      problems = read.problems;
      return;
    }
    file = read;
    const found: HookProblem[] = [...read.problems];
    changed(named.map(({ name }) => name));
    named = read.entries
      .filter(({ entry }) => entry.enabled)
      .flatMap((placed) => {
        try {
          return [hookOf(placed)];
        } catch (error) {
          found.push({
            where: placed.where,
            message: error instanceof Error ? error.message : String(error),
          });
          return [];
        }
      });
    problems = found;
    const [unread] = found;
    if (unread) named = [...named, unreadable('hooks.yaml', 'command', unread.where, unread.message)];
  }

  function projectFolder(project: string | null): CodeFolder | null {
    if (project === null) return null;
    const folder = join(project, '.hookline', 'hooks');
    const open = projects.get(project);
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isThere || !isTrusted(project, places.trust)) {
      open?.close();
      projects.delete(project);
      return null;
    }
    const opened =
      open ?? openCodeFolder(folder, { states, within: realpathSync(join(project, '.hookline')), changed });
    projects.set(project, opened);
    return opened;
  }

  return {
    ward,
    async hooksFor(project) {
      refreshFile();
      known = [...(await home.hooks()), ...named];
      const own = known;
      const loaded = await projectFolder(project)?.hooks();
      // What was loaded is what is trusted: a file may have been changed while it was being read.
      if (!loaded || !isTrusted(project ?? '', places.trust)) return own;
      known = [...own, ...loaded];
      return known;
    },
    known: () => known,
    problems: () => [
      ...problems,
      ...home.problems(),
      ...[...projects.values()].flatMap((folder) => folder.problems()),
    ],
    close() {
      home.close();
      for (const folder of projects.values()) folder.close();
      projects.clear();
      endProcesses();
    },
  };
}

function readHooks(path: string): HooksFile {
  try {
    return parseHooks(readFileSync(path, 'utf8'), path);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...NO_HOOKS, problems: [{ where: path, message }] };
  }
}

const TIME_STEP_MS = 50;

/** Empty where there is no file; null while a further change could not be told from the last. */
function stampOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return '';
  if (Math.abs(Date.now() - stat.ctimeMs) < TIME_STEP_MS) return null;
  return `${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}:${stat.ino}`;
}
