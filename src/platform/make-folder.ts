import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing. Throws as `mkdir` does. Node's own `recursive` never returns where
 * a file system answers ENOENT in a folder that exists, as /proc does.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isMade(path, mode)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  if (!isMade(path, mode)) throw missing(path);
}

/** False where a folder above it is missing, or the file system says so. */
function isMade(path: string, mode?: number): boolean {
  try {
    mkdirSync(path, mode === undefined ? {} : { mode });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return false;
    // Some file systems say that they are read-only before they say that the folder exists.
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
