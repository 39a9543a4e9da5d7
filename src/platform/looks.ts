import { type Stats, statSync } from 'node:fs';

/** What was at a path, and when that was seen. */
interface Look {
  /** Undefined where there was nothing; null where something leads nowhere, such as a link to itself. */
  readonly stat: Stats | null | undefined;
  readonly at: number;
}

let looks: Map<string, Look> | null = null;

/** What is at a path. Within `lookingOnce`, what was there when it was first asked. */
export function lookAt(path: string): Look {
  const known = looks?.get(path);
  if (known) return known;
  const look = { stat: statOf(path), at: Date.now() };
  looks?.set(path, look);
  return look;
}

/**
 * Looks at each path only once for all that `work` begins, until it waits for something from outside. Calls that have
 * arrived before need no more: what was changed before they were sent is seen.
 */
export function lookingOnce(work: () => void): void {
  looks = new Map();
  // Ticks come after all microtasks that are there then, and with them after all that did not have to wait.
  void Promise.resolve().then(forgetNext);
  work();
}

function forgetNext(): void {
  process.nextTick(forgetLooks);
}

/** For who has changed a file. */
export function forgetLooks(): void {
  looks = null;
}

function statOf(path: string): Stats | null | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return null;
  }
}
