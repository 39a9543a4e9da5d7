/** Tracks whether a view that is expensive to follow is in use. */
export interface ViewActivity {
  /** Call on each use. */
  touch(): void;
  /** Aborts when the view has been idle for too long; null while it is idle. */
  signal(): AbortSignal | null;
  /** Resolves on the next use, or at the signal. */
  wait(signal: AbortSignal): Promise<void>;
  /** Makes the view idle at once. */
  stop(): void;
}

/** @param idleMs - how long after the last use the view counts as idle */
export function createViewActivity(idleMs: number, ended: () => void): ViewActivity {
  let now: { readonly end: AbortController; timer: NodeJS.Timeout } | null = null;
  let begin = (): void => {};

  function stop(): void {
    if (now === null) return;
    clearTimeout(now.timer);
    now.end.abort();
    now = null;
    ended();
  }

  return {
    touch() {
      clearTimeout(now?.timer);
      const timer = setTimeout(stop, idleMs).unref();
      if (now) now.timer = timer;
      else now = { end: new AbortController(), timer };
      begin();
    },
    signal: () => now?.end.signal ?? null,
    wait: (signal) =>
      new Promise((resolve) => {
        if (now || signal.aborted) return resolve();
        begin = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    stop,
  };
}
