import { statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceRegularFile } from '../platform/bounded-files.ts';
import { SILENCE_MS, SILENT_AGAIN_MS, SILENT_MS } from './limits.ts';

// A daemon that was silent isn't waited for again at once: a file in the home remembers it for a while.
// native/src/silence.rs does the same.

export function silenceMark(home: string): string {
  return join(home, 'run', 'silent');
}

/** Age of the file; null if there is none. */
export function ageOf(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  // Our clock counts whole ms, and that of files doesn't: a file written just now isn't in the future.
  const age = Date.now() - Math.floor(found.mtimeMs);
  // A time in the future is meaningless.
  return age < 0 ? null : age;
}

/** How long to wait for the first line of a daemon. */
export function firstLineTimeoutMs(home: string): number {
  const age = ageOf(silenceMark(home));
  return age !== null && age < SILENCE_MS ? SILENT_AGAIN_MS : SILENT_MS;
}

/** Another process answered before the daemon sent a line. */
export function noteSilence(home: string): void {
  try {
    replaceRegularFile(silenceMark(home), '');
  } catch {
    // Without the file, the next call waits again.
  }
}
