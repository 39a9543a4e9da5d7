import { mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let root: string | null = null;
let made = 0;

/** A new, empty folder, by its real path. It is removed when the test file that asked for it has ended. */
export function scratchFolder(): string {
  // Short names: a socket in a home below it must not become too long for the system.
  root ??= realpathSync(mkdtempSync(join(tmpdir(), 'hookline-')));
  made += 1;
  const folder = join(root, String(made));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

const shared: string[] = [];

/** Removes a folder that is not of this test alone when the test file has ended, if nothing is in it then. */
export function removeWhenEmpty(folder: string): void {
  shared.push(folder);
}

/** For when a test file has ended: the process goes on with the next one, and with it this module. */
export function removeScratch(): void {
  if (root !== null) rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  root = null;
  made = 0;
  for (const folder of shared.splice(0)) {
    try {
      rmdirSync(folder);
    } catch {
      // Another process uses it, or has removed it.
    }
  }
}
