import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { followLinks } from '../../platform/files.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** Deletes what a path leads to; a link to it stays. */
export function deleteFile(path: string): void {
  rmSync(followLinks(path), { force: true });
}

/** Creates the folders a file needs and returns those that were missing, outermost first. */
export function createFolders(path: string): string[] {
  const missing: string[] = [];
  const nearest = dirname(followLinks(path));
  for (let folder = nearest; !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder))
    missing.unshift(folder);
  makeFolder(nearest);
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
