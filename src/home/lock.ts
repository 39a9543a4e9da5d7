import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '../store/driver.ts';

export interface Lock {
  release(): void;
}

/**
 * One writer per home. The lock is a transaction that stays open: the operating system gives it back when the
 * process dies, however it dies, so there is no stale lock to clean up and no pid to mistake for ours.
 */
export function takeLock(path: string, waitMs = 0): Lock | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite would make it readable for everybody, and its log with the same mode.
  closeSync(openSync(path, 'a', 0o600));
  const database = openDatabase(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    database.exec('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    return null;
  }
  return {
    release() {
      database.exec('ROLLBACK');
      database.close();
    },
  };
}

/** Does another process have the lock right now? */
export function isLocked(path: string): boolean {
  const lock = takeLock(path);
  lock?.release();
  return lock === null;
}
