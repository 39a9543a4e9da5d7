/** How much the process may grow while hooks run. Buffers are not covered by the limits of a worker (Node 20). */
const MAX_GROWTH_BYTES = 512 << 20;
const LOOK_EVERY_MS = 25;

const watchers = new Set<() => void>();
let timer: NodeJS.Timeout | null = null;
let before = 0;

/** Calls when memory runs away, until stopped. Which hook it was is unknown: all that run at the time are called. */
export function watchMemory(onTooMuch: () => void): () => void {
  watchers.add(onTooMuch);
  if (timer === null) {
    before = process.memoryUsage.rss();
    timer = setInterval(look, LOOK_EVERY_MS).unref();
  }
  return () => {
    watchers.delete(onTooMuch);
    if (watchers.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function look(): void {
  if (process.memoryUsage.rss() - before < MAX_GROWTH_BYTES) return;
  for (const watcher of [...watchers]) watcher();
}
