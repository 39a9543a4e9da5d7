/** Speaks up for work that takes long; gives the way to keep it from that. */
export type WhenBusy = (speakUp: () => void) => () => void;

interface BusyOptions {
  readonly now?: () => number;
  readonly after?: (ms: number, callback: () => void) => void;
}

/**
 * Calls `speakUp` for work that is not done after some time. All of it shares one timer, which runs on when work is done
 * early, as nearly all is: a timer for each call costs more than the rest of its bookkeeping.
 */
export function createSlowWorkAlert(
  ms: number,
  {
    now = () => performance.now(),
    after = (wait, callback) => void setTimeout(callback, wait).unref(),
  }: BusyOptions = {},
): WhenBusy {
  /** When each began, oldest first. */
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
