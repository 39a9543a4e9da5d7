import { readFileSync, realpathSync, statSync } from 'node:fs';
import { hasOpen } from './open-files.ts';

/**
 * The process that has a SQLite database locked for writing, as the kernel lists it. Null where nobody has, or this process
 * cannot see who: only Linux tells, and only of processes in the same pid namespace.
 */
export function lockWriter(database: string): number | null {
  // With a log, the lock is in the index of the log; where the disk can have none, in the file itself.
  return writerOf(`${database}-shm`) ?? writerOf(database);
}

function writerOf(path: string): number | null {
  try {
    const { ino } = statSync(path);
    const file = realpathSync(path);
    // 1: POSIX  ADVISORY  WRITE 4711 08:01:131 120 120
    const held = readFileSync('/proc/locks', 'utf8').matchAll(/ WRITE +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /g);
    // The number of a file is unique on its disk only.
    for (const [, pid, inode] of held)
      if (Number(inode) === ino && hasOpen(Number(pid), file)) return Number(pid);
    return null;
  } catch {
    return null;
  }
}
