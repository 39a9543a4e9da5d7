import { closeSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../platform/make-folder.ts';
import { isRunning } from '../../platform/processes.ts';
import { fileFault, openDatabase } from '../../store/database/driver.ts';
import { lockHolder } from './lock-holder.ts';

export interface Lock {
  release(): void;
}

/**
 * One writer per home. The lock is a transaction that stays open. The operating system releases it when the process
 * dies for any reason, so there is no stale lock to clean up and no PID to confuse.
 */
export function takeLock(path: string, waitMs = 0): Lock | null {
  makeFolder(dirname(path), 0o700);
  try {
    return tryLock(path, waitMs);
  } catch (error) {
    if (fileFault(error) !== 'damaged') throw error;
  }
  // A holder keeps its lock. Nothing else needs the file's content, and without this no daemon could start again.
  if (isHeld(path)) return null;
  for (const suffix of ['-wal', '-shm', '']) rmSync(`${path}${suffix}`, { force: true });
  return tryLock(path, waitMs);
}

/** Throws if the file is damaged. */
function tryLock(path: string, waitMs: number): Lock | null {
  // SQLite would make it readable for all users, and its log with the same mode.
  closeSync(openSync(path, 'a', 0o600));
  const database = openDatabase(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (fileFault(error) === 'damaged') throw error;
    return null;
  }
  return {
    release() {
      database.exec('ROLLBACK');
      database.close();
    },
  };
}

function isHeld(path: string): boolean {
  const pid = lockHolder({ lock: path, daemon: join(dirname(path), 'daemon.json') });
  return pid !== null && isRunning(pid);
}

/** True if another process holds the lock now. */
export function isLocked(path: string): boolean {
  const lock = takeLock(path);
  lock?.release();
  return lock === null;
}
