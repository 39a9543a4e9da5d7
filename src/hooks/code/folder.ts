import { basename, dirname } from 'node:path';
import type { HookEvent } from '../../model/events.ts';
import type { HookSession } from '../define.ts';
import { type Hook, type HookProblem, unreadable } from '../hook.ts';
import { parseResponse } from '../response.ts';
import { concerns, type When } from '../when.ts';
import { readDeclaration } from './declaration.ts';
import { hookFiles } from './files.ts';
import { createPool, type Pool } from './pool.ts';
import type { SessionStates } from './states.ts';

interface Loaded {
  readonly stamp: string;
  readonly pool: Pool;
  readonly hooks: Promise<readonly Hook[]>;
  problem: HookProblem | null;
}

/** The hooks written in code in one folder; a file that changed is loaded again before the next event is shown to it. */
export interface CodeFolder {
  hooks(): Promise<readonly Hook[]>;
  problems(): readonly HookProblem[];
  close(): void;
}

export interface FolderOptions {
  readonly states: SessionStates;
  /** The folder that imports may not lead out of. */
  readonly within: string | null;
  /** A file has changed: what was held against its hooks is no longer true. */
  changed(names: readonly string[]): void;
}

export function openCodeFolder(folder: string, options: FolderOptions): CodeFolder {
  const files = new Map<string, Loaded>();

  function load(path: string, stamp: string, before: readonly Hook[]): Loaded {
    const pool = createPool(path, options.within);
    const entry: Loaded = {
      stamp,
      pool,
      problem: null,
      hooks: pool
        .load()
        .then((declared) => {
          const several = declared.length > 1;
          return declared.map((one, index) => {
            const read = readDeclaration(one, several ? `${nameOf(path)}#${index + 1}` : nameOf(path));
            return hookOf(path, index, read.name, read.when, read.timeoutMs, pool, options.states);
          });
        })
        .catch((error: Error) => {
          entry.problem = { where: path, message: error.message };
          return broken(path, before, error.message);
        }),
    };
    return entry;
  }

  async function refresh(): Promise<readonly Hook[]> {
    const found = hookFiles(folder);
    for (const [path, { pool }] of files) {
      if (found.some((file) => file.path === path)) continue;
      pool.close();
      files.delete(path);
    }
    for (const { path, stamp } of found) {
      const known = files.get(path);
      if (known?.stamp === stamp) continue;
      const before = (await known?.hooks) ?? [];
      // Another call may have been here while we waited.
      if (files.get(path) !== known) continue;
      known?.pool.close();
      options.changed(before.map(({ name }) => name));
      files.set(path, load(path, stamp, before));
    }
    const all = await Promise.all(found.map(({ path }) => files.get(path)?.hooks ?? []));
    return all.flat();
  }

  return {
    hooks: refresh,
    problems: () => [...files.values()].flatMap(({ problem }) => problem ?? []),
    close() {
      for (const { pool } of files.values()) pool.close();
      files.clear();
    },
  };
}

function nameOf(path: string): string {
  const name = basename(path).replace(/\.[^.]+$/, '');
  return name === 'index' ? basename(dirname(path)) : name;
}

function hookOf(
  path: string,
  index: number,
  name: string,
  when: When,
  timeoutMs: number,
  pool: Pool,
  states: SessionStates,
): Hook {
  return {
    name,
    kind: 'code',
    where: path,
    timeoutMs,
    failure: null,
    background: false,
    problem: null,
    concerns: (event) => concerns(when, event),
    async run(event, { budgetMs, log }) {
      const session = sessionOf(event, states.get(name, event));
      const { response, state } = await pool.run({ hook: index, event, session, budgetMs, log });
      states.set(name, event, state);
      return parseResponse(response);
    },
  };
}

function sessionOf(event: HookEvent, state: Record<string, unknown>): HookSession {
  return { id: event.sessionId, agent: event.source, cwd: event.cwd, project: event.projectId, state };
}

/** A file that cannot be loaded guards what it guarded before it broke: by failing, so that this is seen. */
function broken(path: string, before: readonly Hook[], message: string): readonly Hook[] {
  const run = () => Promise.reject(new Error(`it cannot be loaded: ${message}`));
  if (before.length > 0) return before.map((hook) => ({ ...hook, problem: message, run }));
  return [unreadable(nameOf(path), 'code', path, message)];
}
