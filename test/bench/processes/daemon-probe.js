// Loaded into a daemon before its own code (`node --import`): counts there what can't be seen from outside, and answers
// on the channel to the process that started it.
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { GCProfiler, getHeapStatistics } from 'node:v8';
import { loadedCode, watchModules } from './loaded-code.js';

/** How long the daemon is watched at a time, what an idle one may take of the processor then, and how often in a row. */
const LOOK_MS = 600;
const IDLE_MS = 30;
const QUIET_LOOKS = 2;

const profiler = new GCProfiler();
let usedAtStart = 0;

const usedHeap = () => getHeapStatistics().used_heap_size;

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const ANSWERS = {
  /**
   * Resolves when the warm-up is over and the work is done that calls leave for later. That work starts a quarter of a
   * second after them: on a busy machine, too, it comes due before the timer here does, and shows as processor time.
   */
  async settle() {
    let quiet = 0;
    while (quiet < QUIET_LOOKS) {
      const before = processorMs();
      await sleep(LOOK_MS);
      quiet = processorMs() - before < IDLE_MS ? quiet + 1 : 0;
    }
  },

  modules: loadedCode,

  /** Of all threads, also of those that ended. */
  processor: processorMs,

  startAllocation() {
    profiler.start();
    usedAtStart = usedHeap();
  },

  /** Heap growth between collections. This is exact, while a sampling profile was off by several percent. */
  allocatedBytes() {
    let bytes = usedHeap();
    let used = usedAtStart;
    for (const { beforeGC, afterGC } of profiler.stop().statistics) {
      bytes += beforeGC.heapStatistics.usedHeapSize - used;
      used = afterGC.heapStatistics.usedHeapSize;
    }
    return bytes - used;
  },

  /** A system call that is found again in a log of them. */
  mark(path) {
    statSync(path, { throwIfNoEntry: false });
  },
};

if (process.env.HOOKLINE_BENCH_MODULES === 'yes') watchModules();
process.on('message', async ({ id, ask, value }) => {
  process.send({ id, answer: await ANSWERS[ask](value) });
});
// The bench closes the channel to stop the daemon; when the bench dies, the daemon isn't left behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel.unref();
