import { setImmediate as letOthersRun } from 'node:timers/promises';

/** No call of an agent waits longer for what is read here; what others send may take long to be read. */
const STEP_MS = 4;

/** Called after each thing that is read: lets others have their turn where they have waited for a while. */
export function createPace(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < STEP_MS) return;
    await letOthersRun();
    began = performance.now();
  };
}
