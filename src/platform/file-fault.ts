import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';

/** In words; what is not here is not about a place on the disk. */
const WHY: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a file is in the way',
  EISDIR: 'it is a directory',
  EEXIST: 'a file is in the way',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota on the disk is used up',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'it is a link to itself',
};

/** What an error of the file system says, for a person. */
export interface FileFault {
  readonly path: string;
  /** One sentence with the path, the reason and the mode. */
  readonly message: string;
}

/** Null for every other error. */
export function fileFault(error: unknown): FileFault | null {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return null;
  const { code, path } = error;
  if (typeof code !== 'string' || typeof path !== 'string') return null;
  const noFolders = code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir';
  const why = noFolders ? 'its file system has no support for directories' : WHY[code];
  if (why === undefined) return null;
  const isDenied = code === 'EACCES' || code === 'EPERM';
  const mode = isDenied ? modeOf(path) : null;
  return { path, message: `Can't use ${path}: ${why} (${code}).${mode === null ? '' : ` ${mode}`}` };
}

/** Mode and owner of a path, or of the nearest folder above it that can be looked at. */
function modeOf(path: string): string | null {
  for (let at = path; ; at = dirname(at)) {
    try {
      const { mode, uid } = lstatSync(at);
      const digits = (mode & 0o7777).toString(8).padStart(4, '0');
      const whose = uid === process.getuid?.() ? 'you' : `user ${uid}`;
      return `${at === path ? 'It' : at} has mode ${digits} and belongs to ${whose}.`;
    } catch {
      if (dirname(at) === at) return null;
    }
  }
}
