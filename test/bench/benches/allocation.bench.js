// How many bytes of the JavaScript heap the daemon allocates for a call. Garbage collection takes processor time on other
// threads, where neither the caller's wait nor a profile of the main thread shows it.
import { CALLERS, startCountedDaemon } from '../processes/counted-daemon.js';

const CALLS = { '8 callers': 1_600, 'one caller with pauses': 400 };
/** Optimized code allocates less; after these nearly all of it is. */
const WARM_UP = { name: 'warm-up', callers: 8, pauseMs: 0 };
const WARM_UP_CALLS = 2_000;

export async function run() {
  const daemon = await startCountedDaemon();
  try {
    await daemon.probe('settle');
    await daemon.call(WARM_UP, WARM_UP_CALLS);
    await daemon.probe('settle');
    const figures = [];
    for (const who of CALLERS) figures.push(await measure(daemon, who));
    daemon.checkStored();
    return figures;
  } finally {
    await daemon.close();
  }
}

async function measure(daemon, who) {
  const calls = CALLS[who.name];
  await daemon.probe('startAllocation');
  await daemon.call(who, calls);
  // Deferred work is part of a call's cost.
  await daemon.probe('settle');
  const value = (await daemon.probe('allocatedBytes')) / calls;
  return { name: `bytes allocated per call, ${who.name}`, value, unit: 'bytes', isCount: true };
}
