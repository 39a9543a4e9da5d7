import { setTimeout as pause } from 'node:timers/promises';

/** Waits this long, or until the signal. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {});
}

/** Waits between half of it and all, so that clients that lost the same server don't return at once. */
export function waitUpTo(ms: number, signal: AbortSignal): Promise<void> {
  return waitFor(ms * (0.5 + Math.random() / 2), signal);
}

const FIRST_RETRY_MS = 500;
export const LONGEST_RETRY_MS = 30_000;

/** Waits longer with each consecutive failure. */
export function waitBeforeRetry(failures: number, signal: AbortSignal): Promise<void> {
  return waitUpTo(Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS), signal);
}
