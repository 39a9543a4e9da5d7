interface Activity {
  /** Work begins when nothing has happened for so long. */
  readonly quietMs: number;
  /** Without such a pause, it begins after this time. */
  readonly latestMs: number;
  /** When something last happened. */
  lastAt(): number;
  failed(error: unknown): void;
}

interface QuietWork {
  /** There is something to do. */
  wake(): void;
  stop(): void;
}

/** Between two pieces of work that is not done yet. */
const NEXT_MS = 250;

/** Does work in pauses. Work that returns false is not done, and goes on after a moment. */
export function whenQuiet(activity: Activity, work: () => Promise<boolean>): QuietWork {
  const { quietMs, latestMs, lastAt, failed } = activity;
  let timer: NodeJS.Timeout | null = null;
  let since = 0;
  let stopped = false;

  function wait(ms: number): void {
    timer = setTimeout(look, ms);
    timer.unref();
  }

  async function look(): Promise<void> {
    timer = null;
    const quietFor = performance.now() - lastAt();
    if (quietFor < quietMs && performance.now() - since < latestMs) {
      wait(quietMs - quietFor);
      return;
    }
    try {
      since = performance.now();
      if (!(await work()) && !stopped && timer === null) wait(NEXT_MS);
    } catch (error) {
      failed(error);
    }
  }

  return {
    wake() {
      if (timer !== null || stopped) return;
      since = performance.now();
      wait(quietMs);
    },
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
