import { realpathSync } from 'node:fs';
import { lockWriter } from '../../platform/lock-writer.ts';
import { openedBy } from '../../platform/open-files.ts';
import type { HomePaths } from '../paths.ts';
import { readDaemonInfo } from './daemon-info.ts';

/**
 * The process that has the lock of a home, by what the kernel says of the lock; elsewhere than on Linux by what the daemon
 * noted of itself. Null if the lock is free, or its holder is not visible.
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
