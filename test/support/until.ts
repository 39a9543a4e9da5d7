import { setTimeout as pause } from 'node:timers/promises';

/** For something that is bound to happen: only a fault takes longer, however busy the machine is. */
export const PATIENCE_MS = 60_000;

/** Waits for something that is bound to happen. A stopped clock does not stop this one. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  deadlineMs: number = PATIENCE_MS,
  what = String(condition),
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`did not happen within ${deadlineMs} ms: ${what}`);
    await pause(5);
  }
}
