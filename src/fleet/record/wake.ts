/** Waits for news without delaying the code that has some. */
interface Wake {
  /** Signals news. Called while a call waits for its answer, so it only starts a timer. */
  note(): void;
  /** Resolves shortly after news, at the latest after `mostMs`, or at the signal. */
  wait(mostMs: number, signal: AbortSignal): Promise<void>;
}

/** Calls come in bursts and are sent together afterwards, because each send costs as much as a call. */
const SOON_MS = 250;

export function createWake(): Wake {
  let news = false;
  let fire: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  const soon = () => {
    if (fire !== null) timer ??= setTimeout(fire, SOON_MS);
  };
  return {
    note() {
      news = true;
      soon();
    },
    wait: (mostMs, signal) =>
      new Promise((resolve) => {
        const latest = setTimeout(done, mostMs);
        function done(): void {
          clearTimeout(latest);
          if (timer !== null) clearTimeout(timer);
          signal.removeEventListener('abort', done);
          [timer, fire, news] = [null, null, false];
          resolve();
        }
        fire = done;
        signal.addEventListener('abort', done);
        if (signal.aborted) done();
        else if (news) soon();
      }),
  };
}
