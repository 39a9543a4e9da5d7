import { realpathSync } from 'node:fs';
import { lockWriter } from '../../platform/lock-writer.ts';
import { openedBy } from '../../platform/open-files.ts';
import type { HomePaths } from '../paths.ts';
import { readDaemonInfo } from './daemon-info.ts';

/**
 * The process that holds the lock of a home, according to the kernel; outside Linux, according to the daemon's info
 * file. Null if the lock is free or its holder isn't visible.
 */
export function lockHolder(paths: Pick<HomePaths, 'lock' | 'daemon'>): number | null {
  const noted = readDaemonInfo(paths)?.pid ?? null;
  if (process.platform !== 'linux') return noted;
  try {
    // Some sandboxes show no locks.
    return lockWriter(paths.lock, noted) ?? openedBy([realpathSync(paths.lock)], process.pid);
  } catch {
    return null;
  }
}
