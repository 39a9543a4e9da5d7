import { Worker } from 'node:worker_threads';
import type { NativeAnswer } from '../model/native.ts';
import { FALLBACK_MS, MAX_HOLD_MS } from '../wire/limits.ts';
import type { FallbackCall } from './fallback.ts';

/** Messages of the thread. */
export type FromFallback =
  | { readonly type: 'hold'; readonly ms: number }
  | { readonly type: 'answer'; readonly answer: NativeAnswer }
  | { readonly type: 'failed'; readonly message: string };

interface ThreadOptions {
  readonly script?: URL;
  readonly deadlineMs?: number;
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

const LIMITS = { maxOldGenerationSizeMb: 1_024 };

/**
 * Evaluates a call in its own thread, so that this one can still answer in time, possibly with a denial. Rejects if
 * there is no answer.
 */
export function fallbackInThread(call: FallbackCall, options: ThreadOptions = {}): Promise<NativeAnswer> {
  const {
    script = new URL('./fallback-worker.cjs', import.meta.url),
    deadlineMs = FALLBACK_MS,
    signal,
  } = options;
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, {
      workerData: call,
      resourceLimits: LIMITS,
      execArgv: ['--no-warnings'],
    });
    const fail = (why: string) => {
      clearTimeout(late);
      void thread.terminate();
      reject(new Error(why));
    };
    const wait = (ms: number) => setTimeout(() => fail(`no answer within ${ms} ms`), ms);
    let late = wait(deadlineMs);
    signal?.addEventListener('abort', () => fail('it was stopped'), { once: true });
    thread.on('message', (message: FromFallback) => {
      if (message.type === 'failed') fail(message.message);
      else {
        clearTimeout(late);
        if (message.type === 'answer') resolve(message.answer);
        else late = wait(Math.min(message.ms, MAX_HOLD_MS) + deadlineMs);
      }
    });
    thread.on('error', (error) => fail(error.message));
    thread.on('exit', () => fail('it exited before it answered'));
  });
}

const LOOK_EVERY_MS = 100;

/** Calls back when the parent process is gone, so that the answer is no longer needed. */
export function whenOrphaned(then: () => void, parentOf: () => number = () => process.ppid): void {
  const parent = parentOf();
  const timer = setInterval(() => {
    if (parentOf() === parent) return;
    clearInterval(timer);
    then();
  }, LOOK_EVERY_MS);
  timer.unref();
}
