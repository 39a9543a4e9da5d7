import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { hasOpen } from '../platform/open-files.ts';
import { notedDaemon } from './noted-daemon.ts';
import type { HomePaths } from './paths.ts';

/**
 * The process that has the lock of a home, by what the kernel says of the lock; elsewhere than on Linux by what the daemon
 * noted of itself. Null where nobody has it, or it cannot be seen.
 */
export function lockHolder(paths: Pick<HomePaths, 'lock' | 'daemon'>): number | null {
  if (process.platform !== 'linux') return notedDaemon(paths)?.pid ?? null;
  try {
    const { ino } = statSync(paths.lock);
    const file = realpathSync(paths.lock);
    // 1: POSIX  ADVISORY  WRITE 4711 08:01:131 0 EOF
    const held = readFileSync('/proc/locks', 'utf8').matchAll(/ WRITE +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /g);
    // The number of a file is unique on its disk only.
    for (const [, pid, inode] of held)
      if (Number(inode) === ino && hasOpen(Number(pid), file)) return Number(pid);
    // Some sandboxes show no locks.
    return openedBy(file);
  } catch {
    return null;
  }
}

function openedBy(file: string): number | null {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const others = pids.map(Number).filter((pid) => pid !== process.pid);
  return others.find((pid) => hasOpen(pid, file)) ?? null;
}
