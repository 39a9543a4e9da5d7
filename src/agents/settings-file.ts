import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Writes a whole file or nothing. People link settings into a dotfiles repository: the file a link leads to is
 * written, the link stays. The mode of an existing file is kept; `mode` is for a new one.
 */
export function writeFileAtomically(path: string, text: string, mode?: number): void {
  const target = followLinks(path);
  const kept = statSync(target, { throwIfNoEntry: false })?.mode ?? mode;
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    const file = openSync(temporary, 'wx', kept);
    try {
      // What the umask took from `openSync`.
      if (kept !== undefined) fchmodSync(file, kept);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Deletes what a path leads to; a link to it stays. */
export function deleteFile(path: string): void {
  rmSync(followLinks(path), { force: true });
}

/** Makes the folders a file needs and tells which ones were missing, outermost first. */
export function createFolders(path: string): string[] {
  const missing: string[] = [];
  const nearest = dirname(followLinks(path));
  for (let folder = nearest; !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder))
    missing.unshift(folder);
  mkdirSync(nearest, { recursive: true });
  return missing;
}

/** Removes those of the folders, given outermost first, that have nothing in them. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function followLinks(path: string): string {
  let target = resolve(path);
  // Not realpath: a link may lead to a file that is yet to be made. The limit is the one of Linux.
  for (let hops = 0; hops < 40; hops++) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new Error(`${path} is a link that leads to itself`);
}
