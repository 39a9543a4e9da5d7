/** Reports work that takes long. Returns the function that cancels it. */
export type WhenBusy = (speakUp: () => void) => () => void;

interface BusyOptions {
  readonly now?: () => number;
  readonly after?: (ms: number, callback: () => void) => void;
}

/**
 * Calls `speakUp` for work that takes longer than a limit. All work shares one timer, which keeps running when work
 * ends early, as nearly all does. A timer per call would cost more than the rest of its bookkeeping.
 */
export function createSlowWorkAlert(
  ms: number,
  {
    now = () => performance.now(),
    after = (wait, callback) => void setTimeout(callback, wait).unref(),
  }: BusyOptions = {},
): WhenBusy {
  /** Start times, oldest first. */
  const waiting = new Map<() => void, number>();
  let isArmed = false;

  const arm = (wait: number) => {
    isArmed = true;
    after(wait, look);
  };
  const look = () => {
    isArmed = false;
    const due = now() - ms;
    for (const [speakUp, since] of waiting) {
      if (since > due) {
        arm(since - due);
        return;
      }
      waiting.delete(speakUp);
      speakUp();
    }
  };

  return (speakUp) => {
    waiting.set(speakUp, now());
    if (!isArmed) arm(ms);
    return () => void waiting.delete(speakUp);
  };
}
