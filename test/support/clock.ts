import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** The time of this thread, for one test. */
export interface Clock {
  /** Takes in what has arrived, then lets so much time pass, and what is due then happen. */
  advance(ms: number): Promise<void>;
  /** How many timers have been set and are not due yet. */
  pending(): number;
}

/**
 * Stops the time of this thread until the test advances it: a limit is reached when the test says so, and not because
 * the machine is busy. Other threads and processes keep their own time.
 */
export function stopClock(): Clock {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(abortAfter);
  onTestFinished(() => {
    timeouts.mockRestore();
    vi.useRealTimers();
  });
  return {
    async advance(ms) {
      // Once for what is about to arrive, and once for what that sends in this process.
      await turn();
      await turn();
      await vi.advanceTimersByTimeAsync(ms);
    },
    pending: () => vi.getTimerCount(),
  };
}

function abortAfter(ms: number): AbortSignal {
  const aborting = new AbortController();
  setTimeout(() => aborting.abort(new DOMException('The time is up.', 'TimeoutError')), ms);
  return aborting.signal;
}
