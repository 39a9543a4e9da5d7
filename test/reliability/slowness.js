// Machines differ, and one machine differs from hour to hour: limits in seconds are for one that starts Node in 40 ms.
import { spawnSync } from 'node:child_process';
import { median } from '../bench/figures.js';

const USUAL_MS = 40;
const TRIES = 9;

/** How many times as long as usual an empty Node program takes at this moment; never less than once. */
export function slowness() {
  const times = Array.from({ length: TRIES }, () => {
    const start = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - start;
  });
  return Math.max(1, median(times) / USUAL_MS);
}

/**
 * The limit in ms, and how to say it.
 *
 * @param {number} usualMs
 * @param {number} slow
 */
export function limitOf(usualMs, slow) {
  const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
  const ms = usualMs * slow;
  const text = `at most ${seconds(usualMs)} wanted where Node starts in ${USUAL_MS} ms, here in ${(USUAL_MS * slow).toFixed(0)}, so ${seconds(ms)}`;
  return { ms, text };
}
