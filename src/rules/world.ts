import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { World } from './facts.ts';

/** The world as it is. `unlockFile` says until when protected rules rest. */
export function realWorld(unlockFile: string): World {
  return {
    home: process.env.HOME || homedir(),
    now: () => Date.now(),
    real: realPath,
    branchOf,
    treeOf,
    exists: existsSync,
    unlocked: () => unlockedUntil(unlockFile) > Date.now(),
  };
}

/** In ms since the epoch; 0 when nothing is unlocked. */
export function unlockedUntil(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').trim()) || 0;
  } catch {
    return 0;
  }
}

/** A file that does not exist yet lies where its folder really lies. */
function realPath(path: string): string {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = realOfExisting(at);
    if (real !== null) return rest.length === 0 ? real : join(real, ...rest);
    if (dirname(at) === at) return path;
    rest.unshift(basename(at));
  }
}

function realOfExisting(path: string): string | null {
  try {
    // Asked first, because being told by an exception costs ten times as much.
    return statSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : null;
  } catch {
    return null;
  }
}

function branchOf(folder: string): string | null {
  const git = gitFolder(folder);
  if (git === null) return null;
  try {
    const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(join(git, 'HEAD'), 'utf8')) ?? [];
    return branch ?? null;
  } catch {
    return null;
  }
}

function gitFolder(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git');
    const stat = statSync(git, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return git;
    // A worktree has a file that says where its folder is.
    if (stat?.isFile()) return /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1] ?? null;
    if (dirname(at) === at) return null;
  }
}

const GIT_DEADLINE_MS = 3_000;
/** A repository's own settings can make `git status` run a program of its choice. */
const HARMLESS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

function treeOf(folder: string): 'clean' | 'dirty' | null {
  if (gitFolder(folder) === null) return null;
  const status = execFileSync('git', [...HARMLESS, 'status', '--porcelain'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: GIT_DEADLINE_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status.trim() === '' ? 'clean' : 'dirty';
}
