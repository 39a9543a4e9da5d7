/** Whether somebody looks at something that costs to be followed. */
export interface ViewActivity {
  /** Somebody looks now. */
  touch(): void;
  /** Ends when nobody looks any more; null while nobody does. */
  signal(): AbortSignal | null;
  /** Resolves when somebody looks, or at the signal. */
  wait(signal: AbortSignal): Promise<void>;
  /** As if nobody had looked. */
  stop(): void;
}

/** @param idleMs - how long after the last look nobody looks any more */
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
