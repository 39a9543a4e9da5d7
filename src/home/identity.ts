import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Identity } from '../engine/handle.ts';
import { BoundedMap, remember } from '../platform/bounded.ts';
import { readIfExists } from '../platform/files.ts';
import { foldersUpward } from '../platform/long-path.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { userName } from '../platform/user-name.ts';
import { branchOf } from '../rules/world/machine.ts';
import type { HomePaths } from './paths.ts';

/** Identity of this machine; its ID is created once and stored in the home. */
export function readIdentity(paths: HomePaths): Identity {
  return identityWith(machineId(paths));
}

/** The same without writing: a machine without an ID gets none. */
export function knownIdentity(paths: HomePaths): Identity {
  return identityWith(knownMachineId(paths));
}

function identityWith(id: string | null): Identity {
  return {
    machineId: id,
    userId: userName(),
    projectOf: createProjectFinder(),
    branchOf: createBranchFinder(),
  };
}

function knownMachineId(paths: HomePaths): string | null {
  return readIfExists(paths.machineId)?.trim() || null;
}

function machineId(paths: HomePaths): string | null {
  const known = knownMachineId(paths);
  if (known !== null) return known;
  const id = randomUUID();
  try {
    makeFolder(paths.root, 0o700);
    writeFileSync(paths.machineId, `${id}\n`, { mode: 0o600, flag: 'wx' });
    return id;
  } catch {
    // Another process just created the ID, or the disk is full. Rules apply without an ID too.
    return knownMachineId(paths);
  }
}

/** A project is the repository around a directory, or the directory itself. Cached, because every call needs it. */
export function createProjectFinder(): (cwd: string) => string {
  return remember((cwd) => repositoryAround(cwd) ?? cwd, 1_000);
}

/** Long enough for a burst of calls, and too short to notice. */
const BRANCH_MS = 500;

/** The branch is recorded with every call for display; rules about branches read it themselves. */
function createBranchFinder(): (cwd: string) => string | null {
  const known = new BoundedMap<string, { readonly branch: string | null; readonly at: number }>(100);
  return (cwd) => {
    const now = performance.now();
    const last = known.get(cwd);
    if (last && now - last.at < BRANCH_MS) return last.branch;
    const branch = branchOf(cwd);
    known.set(cwd, { branch, at: now });
    return branch;
  };
}

function repositoryAround(folder: string): string | null {
  // A relative path would depend on the directory of this process.
  if (!isAbsolute(folder)) return null;
  for (const at of foldersUpward(folder)) if (existsSync(join(at, '.git'))) return at;
  return null;
}
