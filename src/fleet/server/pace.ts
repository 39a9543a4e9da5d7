import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Longest time that reading may delay a call, because other machines' data may take long to read. */
const STEP_MS = 4;

/** Called after each item: yields if others have waited for a while. */
export function createPace(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < STEP_MS) return;
    await letOthersRun();
    began = performance.now();
  };
}
