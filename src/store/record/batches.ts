import { isBusy } from '../database/driver.ts';

interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Collects the writes of one turn of the event loop and runs them together, after all pending microtasks. A promise
 * resolves when its item is written.
 */
export function createBatches<T, R>(
  writeAll: (items: readonly T[]) => readonly R[],
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    write(batch, writeAll);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      // Ticks run after all microtasks, and so after the other calls of this turn.
      if (waiting.push({ item, resolve, reject }) === 1) process.nextTick(flush);
    });
}

function write<T, R>(batch: readonly Waiting<T, R>[], writeAll: (items: readonly T[]) => readonly R[]): void {
  try {
    const results = writeAll(batch.map(({ item }) => item));
    for (const [at, result] of results.entries()) batch[at]?.resolve(result);
  } catch (error) {
    // One bad item must not fail the others, and a busy database isn't an item's fault.
    if (batch.length > 1 && !isBusy(error)) for (const one of batch) write([one], writeAll);
    else for (const { reject } of batch) reject(error);
  }
}
