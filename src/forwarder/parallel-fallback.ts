import { messageOf } from '../model/errors.ts';
import type { NativeAnswer } from '../model/native.ts';
import type { Exchange } from '../wire/exchange.ts';
import { SILENT_AGAIN_MS } from '../wire/limits.ts';

/** Evaluates without the daemon. Rejects if it can't, or is told to stop. */
export type Fallback = (options: {
  readonly startsDaemon: boolean;
  readonly signal?: AbortSignal | undefined;
}) => Promise<NativeAnswer>;

/** The fallback that runs while the daemon may still answer. */
interface ParallelFallback {
  /** Resolves once it has evaluated the call, or failed. */
  readonly end: Promise<Exchange>;
  judged(): Exchange | null;
  isAtWork(): boolean;
  begin(): void;
  /** It may start again. */
  stop(): void;
}

export function createParallelFallback(fallback: Fallback): ParallelFallback {
  let current: AbortController | null = null;
  let judged: Exchange | null = null;
  let finish = (_: Exchange): void => {};
  const end = new Promise<Exchange>((resolve) => {
    finish = resolve;
  });
  const settle = (by: AbortController, result: Exchange) => {
    if (by.signal.aborted) return;
    judged = result;
    finish(result);
  };
  return {
    end,
    judged: () => judged,
    isAtWork: () => current !== null && judged === null,
    begin() {
      if (current !== null) return;
      const by = new AbortController();
      current = by;
      fallback({ startsDaemon: false, signal: by.signal }).then(
        (answer) => settle(by, { answer }),
        (error) => settle(by, { answer: null, kind: 'failed', why: messageOf(error) }),
      );
    },
    stop() {
      current?.abort();
      current = null;
    },
  };
}

/** Calls back if the daemon is silent for too long, unless the returned function is called before. */
export function whenSilent(timeoutMs: () => number, then: () => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(then, timeoutMs() - SILENT_AGAIN_MS);
  }, SILENT_AGAIN_MS);
  return () => clearTimeout(timer);
}
