/** Growth limit of the process while hooks run. A worker's own limit doesn't cover buffers (Node 20). */
const MAX_GROWTH_BYTES = 512 << 20;
const LOOK_EVERY_MS = 25;

const watchers = new Set<() => void>();
let timer: NodeJS.Timeout | null = null;
let before = 0;

/**
 * Calls back if memory grows too fast, until stopped. The hook responsible is unknown, so every running one is
 * called.
 */
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
