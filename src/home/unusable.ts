import { isAbsolute, relative } from 'node:path';
import { HooklineError } from '../model/errors.ts';

/** In words; what is not here has not to do with where the home is. */
const WHY: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota on the disk is used up',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'it is a link to itself',
};

/** What an error of the file system means where it is about a home; null for every other error. */
export function homeUnusable(error: unknown, root: string): HooklineError | null {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return null;
  const { code, path } = error;
  if (typeof code !== 'string' || typeof path !== 'string' || !isAbout(path, root)) return null;
  const why =
    code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir'
      ? 'its file system has no support for directories'
      : WHY[code];
  if (why === undefined) return null;
  return new HooklineError('HOME_UNUSABLE', `${path} can't be written: ${why} (${code}).`, {
    cause: error,
    hint: `It belongs to Hookline's home, ${root}. Make that writable, or set HOOKLINE_HOME to another directory.`,
  });
}

/** In the home, or above it: a home that is to be made needs all of these. */
function isAbout(path: string, root: string): boolean {
  return isWithin(path, root) || isWithin(root, path);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}
