import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lets other threads go first if cores are scarce. Only Linux has a priority per thread; elsewhere this would slow
 * down the whole process, so it does nothing.
 */
export function lowerThreadPriority(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    // `1234/task/1240`
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority(thread) + steps, constants.priority.PRIORITY_LOW));
  } catch {
    // No /proc: keeps the normal priority.
  }
}
