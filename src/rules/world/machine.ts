import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { listNames, readRegularFile } from '../../platform/bounded-files.ts';
import { cachedLstat } from '../../platform/stat-cache.ts';
import { UNKNOWN } from '../../shell/analysis.ts';
import type { World } from '../facts.ts';
import { withDrives } from './drives.ts';
import { treeStatus } from './git-status.ts';
import { realPath } from './real-path.ts';
import { filesBelow, gitFolder, shortFile, startsPrograms, treeRoot } from './repository.ts';
import { uncommittedIn } from './uncommitted.ts';

/** The world as it is. */
export function realWorld(runOptions: World['runOptions'], unlocked: World['unlocked']): World {
  const world: World = {
    home: userHome(),
    now: () => Date.now(),
    real: realPath,
    branchOf,
    treeRoot,
    uncommittedIn,
    treeOf: (folder) => (gitFolder(folder) === null ? null : treeStatus(folder)),
    exists: existsSync,
    namesIn,
    filesBelow,
    changedAt,
    identityOf,
    isAbsent,
    scriptText,
    startsPrograms,
    runOptions,
    unlocked,
  };
  return process.platform === 'win32' ? withDrives(world) : world;
}

export function userHome(): string {
  return process.env.HOME || homedir();
}

const MAX_NAMES = 2_000;

function namesIn(path: string): readonly string[] | null {
  try {
    return listNames(path, MAX_NAMES);
  } catch {
    return null;
  }
}

function changedAt(path: string): number | null {
  // Not the time that a program can set.
  return cachedLstat(path)?.ctimeMs ?? null;
}

function identityOf(path: string): string {
  const stat = cachedLstat(path);
  return stat ? `${stat.dev}:${stat.ino}` : '';
}

/** What is there last on the way must be a folder: a link may lead to where nothing can be seen. */
function isAbsent(path: string): boolean {
  let at = path;
  while (cachedLstat(at) === undefined && dirname(at) !== at) at = dirname(at);
  return at !== path && cachedLstat(at)?.isDirectory() === true;
}

const MAX_SCRIPT_BYTES = 64 << 10;

function scriptText(path: string): string | null {
  // Asked first: most of what is to be written is not there yet, and an exception costs more than all the rest.
  if (cachedLstat(path) === undefined) return null;
  try {
    const read = readRegularFile(path, { within: null, maxBytes: MAX_SCRIPT_BYTES });
    // Of a program that was built nothing can be read; a text that is too long, or a pipe, may be a script.
    if ('refused' in read) return isProgram(read.beginning) ? null : UNKNOWN;
    return isProgram(read.content) ? null : read.content.toString('utf8').replaceAll('\0', '');
  } catch {
    return null;
  }
}

/** As a shell tells: by its first line. Further on it passes over bytes that are not text. */
function isProgram(content: Buffer | undefined): boolean {
  const line = content?.subarray(0, FIRST_LINE).toString('latin1').split('\n')[0];
  return line?.includes('\0') === true;
}

const FIRST_LINE = 80;

/** The branch that is checked out in the repository around a folder; null where there is none. */
export function branchOf(folder: string): string | null {
  const git = gitFolder(folder);
  if (git === null) return null;
  try {
    const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec(shortFile(join(git, 'HEAD'))) ?? [];
    return branch ?? null;
  } catch {
    return null;
  }
}
