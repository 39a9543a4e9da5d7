import { isAbsolute, relative } from 'node:path';
import { HooklineError } from '../model/errors.ts';
import { fileFault } from '../platform/file-fault.ts';

/** What an error of the file system means to the user of a home; null for every other error. */
export function fileUnusable(error: unknown, root: string): HooklineError | null {
  const fault = fileFault(error);
  if (fault === null) return null;
  return isAbout(fault.path, root)
    ? new HooklineError('HOME_UNUSABLE', fault.message, {
        cause: error,
        hint: `It belongs to Hookline's home, ${root}. Make that readable and writable for you, or set HOOKLINE_HOME to another directory.`,
      })
    : new HooklineError('FILE_UNUSABLE', fault.message, {
        cause: error,
        hint: `Run \`ls -ld ${fault.path}\` to see who may use it.`,
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
