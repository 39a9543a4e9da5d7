import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parents. Throws like `mkdir`. Node's own `recursive` never returns if a file
 * system answers ENOENT in an existing directory, as /proc does.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isMade(path, mode)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  if (!isMade(path, mode)) throw missing(path);
}

/** False if a parent is missing, or the file system says so. */
function isMade(path: string, mode?: number): boolean {
  try {
    mkdirSync(path, mode === undefined ? {} : { mode });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return false;
    // Some file systems report that they are read-only before they report that the directory exists.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return true;
    throw error;
  }
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, mkdir '${path}'`), {
    code: 'ENOENT',
    syscall: 'mkdir',
    path,
  });
}
