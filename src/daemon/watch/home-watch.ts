import { statSync } from 'node:fs';
import type { HomePaths } from '../../home/paths.ts';

interface HomeWatch {
  /** The home was deleted or replaced: nothing in it may be written or removed. */
  readonly isLost: boolean;
  /** From now on restores missing files while the home exists. Doesn't throw. */
  heal(missing: () => Promise<void>): void;
  stop(): void;
}

const LOOK_EVERY_MS = 400;
/** A disk error reveals nothing about its content. */
const UNKNOWN = 'unknown';

/**
 * Watches the home while a daemon serves it. Without its lock file a daemon doesn't keep others out: the next one
 * would take another lock, and both would write.
 */
export function watchHome({ lock }: Pick<HomePaths, 'lock'>, lost: () => void): HomeWatch {
  const taken = identityOf(lock);
  let isLost = false;
  let missing = async () => {};
  let isHealing = false;
  const timer = setInterval(() => {
    const found = identityOf(lock);
    if (found !== taken && found !== UNKNOWN) {
      clearInterval(timer);
      isLost = true;
      lost();
    } else if (!isHealing) {
      isHealing = true;
      void missing().finally(() => {
        isHealing = false;
      });
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    get isLost() {
      return isLost;
    },
    heal(how) {
      missing = how;
    },
    stop: () => clearInterval(timer),
  };
}

/** Identifies a file, as opposed to a later one at its path; null if there is none. Doesn't open the file. */
export function identityOf(path: string): string | null {
  try {
    // File numbers are reused, so the number alone isn't enough.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found ? `${found.ino}:${found.birthtimeNs}` : null;
  } catch {
    return UNKNOWN;
  }
}
