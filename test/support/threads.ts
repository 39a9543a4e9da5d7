import type { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** How many threads this process starts from now on, and how many of them end. */
export function watchThreads(): { readonly started: number; readonly ended: number } {
  const count = { started: 0, ended: 0 };
  const watch = (thread: Worker) => {
    count.started += 1;
    thread.once('exit', () => (count.ended += 1));
  };
  process.on('worker', watch);
  onTestFinished(() => void process.off('worker', watch));
  return count;
}
