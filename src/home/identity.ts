import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Identity } from '../engine/handle.ts';
import { readIfThere } from './config.ts';
import type { HomePaths } from './paths.ts';

/** Who and where we are; the machine's id is made once and kept in the home. */
export function readIdentity(paths: HomePaths): Identity {
  return { machineId: machineId(paths), userId: userName(), projectOf: createProjectFinder() };
}

function machineId(paths: HomePaths): string {
  const known = readIfThere(paths.machineId)?.trim();
  if (known) return known;
  const id = randomUUID();
  mkdirSync(paths.root, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(paths.machineId, `${id}\n`, { mode: 0o600, flag: 'wx' });
    return id;
  } catch (error) {
    // The first hook calls of a new home come at once: whoever was first has named the machine.
    return readIfThere(paths.machineId)?.trim() || rethrow(error);
  }
}

function rethrow(error: unknown): never {
  throw error;
}

function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A container may run us under a uid that has no name.
    return null;
  }
}

const REMEMBERED_FOLDERS = 1000;

/** A project is the repository around a folder, or the folder itself. Asked on every call, so remembered. */
export function createProjectFinder(): (cwd: string) => string {
  const known = new Map<string, string>();
  return (cwd) => {
    const found = known.get(cwd) ?? repositoryAround(cwd) ?? cwd;
    if (known.size > REMEMBERED_FOLDERS) known.clear();
    known.set(cwd, found);
    return found;
  };
}

function repositoryAround(folder: string): string | null {
  // A relative one would be looked for around the folder that we happen to run in.
  if (!isAbsolute(folder)) return null;
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}
