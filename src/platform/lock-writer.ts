import { readFileSync, realpathSync, statSync } from 'node:fs';
import { descriptorsOf, hasOpen } from './open-files.ts';

/**
 * Location of SQLite's writer lock: in the index of its log, or in the file itself if the disk can't have such an
 * index.
 */
const PLACES = [
  ['-shm', 120],
  ['', 0x40_00_00_00],
] as const;

/**
 * The process that has a SQLite database locked for writing, according to the kernel. Null if it is unlocked, or the
 * holder isn't visible: only Linux shows it, and only for processes in the same PID namespace. Any process can lock
 * other bytes of the same files, or the file itself next to the index; such locks don't count. Reading the list of
 * all locks waits in the kernel until no lock changes, which takes milliseconds. `likely` is the process to check
 * first, because its own entry is available at once.
 */
export function lockWriter(database: string, likely: number | null = null): number | null {
  for (const [suffix, byte] of PLACES) {
    const path = database + suffix;
    const pid = likely !== null && isWriterOf(path, byte, likely) ? likely : writerOf(path, byte);
    if (pid !== null) return pid;
  }
  return null;
}

function writerOf(path: string, byte: number): number | null {
  try {
    const file = realpathSync.native(path);
    const pids = writersIn(readFileSync('/proc/locks', 'utf8'), statSync(path).ino, byte);
    // File numbers are unique only per disk.
    return pids.find((pid) => hasOpen(pid, file)) ?? null;
  } catch {
    return null;
  }
}

function isWriterOf(path: string, byte: number, pid: number): boolean {
  try {
    const { ino } = statSync(path);
    for (const said of descriptorsOf(pid, realpathSync.native(path)))
      if (writersIn(said, ino, byte).includes(pid)) return true;
    return false;
  } catch {
    // It ended, or closed a file in the meantime; the list of all locks shows it.
    return false;
  }
}

function writersIn(locks: string, ino: number, byte: number): readonly number[] {
  // 1: POSIX  ADVISORY  WRITE 4711 08:01:131 120 120
  const held = [...locks.matchAll(/ POSIX +\S+ +WRITE +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) (\d+) (\d+|EOF)$/gm)];
  return held
    .filter(([, , inode, first, last]) => Number(inode) === ino && covers(byte, Number(first), last))
    .map(([, pid]) => Number(pid));
}

function covers(byte: number, first: number, last: string | undefined): boolean {
  return first <= byte && (last === 'EOF' || byte <= Number(last));
}
