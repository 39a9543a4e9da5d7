import { readFileSync, realpathSync, statSync } from 'node:fs';
import { descriptorsOf, hasOpen } from './open-files.ts';

/**
 * The process that has a SQLite database locked for writing, as the kernel lists it. Null where nobody has, or this process
 * cannot see who: only Linux tells, and only of processes in the same pid namespace.
 *
 * For the list of all locks the kernel waits until nobody changes one, which takes milliseconds. `likely` is the process to look
 * at first: what the kernel says of it alone is there at once.
 */
export function lockWriter(database: string, likely: number | null = null): number | null {
  // With a log, the lock is in the index of the log; where the disk can have none, in the file itself.
  const index = `${database}-shm`;
  if (likely !== null && (isWriterOf(index, likely) || isWriterOf(database, likely))) return likely;
  return writerOf(index) ?? writerOf(database);
}

function writerOf(path: string): number | null {
  try {
    const file = realpathSync.native(path);
    const pids = writersIn(readFileSync('/proc/locks', 'utf8'), statSync(path).ino);
    // The number of a file is unique on its disk only.
    return pids.find((pid) => hasOpen(pid, file)) ?? null;
  } catch {
    return null;
  }
}

function isWriterOf(path: string, pid: number): boolean {
  try {
    const { ino } = statSync(path);
    for (const said of descriptorsOf(pid, realpathSync.native(path)))
      if (writersIn(said, ino).includes(pid)) return true;
    return false;
  } catch {
    // It has ended, or has closed a file meanwhile: the list of all locks tells.
    return false;
  }
}

function writersIn(locks: string, ino: number): readonly number[] {
  // 1: POSIX  ADVISORY  WRITE 4711 08:01:131 120 120
  const held = [...locks.matchAll(/ WRITE +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /g)];
  return held.filter(([, , inode]) => Number(inode) === ino).map(([, pid]) => Number(pid));
}
