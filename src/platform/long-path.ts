import { dirname } from 'node:path';

/** The system rejects longer ones, each with an exception. */
export const LONGEST_PATH: number = process.platform === 'win32' ? 32_767 : 4_096;

/**
 * The directory and its parents, from the first one that the system can read. A payload may name a far deeper one,
 * and checking each step would take quadratic time.
 */
export function* foldersUpward(folder: string): Generator<string> {
  let at = folder;
  if (at.length > LONGEST_PATH) at = dirname(at.slice(0, LONGEST_PATH + 1));
  for (; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}
