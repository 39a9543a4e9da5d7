import { dirname } from 'node:path';

/** The system refuses longer ones, with an exception each. */
export const LONGEST_PATH: number = process.platform === 'win32' ? 32_767 : 4_096;

/**
 * The folder, and those above it, from the first that the system can look at. A payload may name one that is far deeper: to
 * look at each on the way would take longer the square of that.
 */
export function* foldersUpward(folder: string): Generator<string> {
  let at = folder;
  if (at.length > LONGEST_PATH) at = dirname(at.slice(0, LONGEST_PATH + 1));
  for (; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}
