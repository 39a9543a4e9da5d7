import { statSync } from 'node:fs';
import type { HomePaths } from '../../home/paths.ts';

interface HomeWatch {
  /** The home was deleted, or is another one by now: nothing in it may be written or removed any more. */
  readonly isLost: boolean;
  /** From now on this puts back whatever is missing, while the home is there. It does not throw. */
  heal(missing: () => Promise<void>): void;
  stop(): void;
}

const LOOK_EVERY_MS = 400;
/** A disk that fails for a moment says nothing about what is on it. */
const UNKNOWN = 'unknown';

/**
 * Looks after the home while a daemon serves it. Without its lock file a daemon doesn't keep others out of the home:
 * the next one would take another lock, and both would write.
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

/** What tells a file from the next one that has its path; null where there is none. It is not opened for that. */
export function identityOf(path: string): string | null {
  try {
    // Numbers of files that are gone are given out again, so the number alone does not tell.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found ? `${found.ino}:${found.birthtimeNs}` : null;
  } catch {
    return UNKNOWN;
  }
}
