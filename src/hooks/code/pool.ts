import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { HookEvent } from '../../model/events.ts';
import type { HookSession } from '../define.ts';
import { API_FILE, WORKER_FILE } from './build.ts';
import { watchMemory } from './memory.ts';
import type { Declared, FromWorker, ToWorker, WorkerStart } from './protocol.ts';

export interface Answered {
  readonly response: unknown;
  readonly state: unknown;
}

/** The workers of one file: each has one event at a time, and is thrown away when it misbehaves. */
export interface Pool {
  /** What the file declares. Rejects when it cannot be loaded. */
  load(): Promise<readonly Declared[]>;
  run(call: PoolCall): Promise<Answered>;
  close(): void;
}

export interface PoolCall {
  readonly hook: number;
  readonly event: HookEvent;
  readonly session: HookSession;
  readonly budgetMs: number;
  log(text: string): void;
}

interface Seat {
  readonly worker: Worker;
  readonly loaded: Promise<readonly Declared[]>;
  busy: boolean;
  gone: boolean;
  /** Told everything that comes from the worker while it has an event, and why it ended if it does. */
  listener: { heard(message: FromWorker): void; ended(why: string): void } | null;
  idle: NodeJS.Timeout | null;
}

const MAX_SEATS = 4;
/** Less than a forwarder waits without being told. */
const LOAD_MS = 4_000;
/** A worker that nobody needed for so long gives its memory back. */
const IDLE_MS = 5 * 60_000;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

export function createPool(file: string, within: string | null): Pool {
  const seats = new Set<Seat>();
  const waiting: (() => void)[] = [];

  function leave(seat: Seat, why: string): void {
    if (seat.gone) return;
    seat.gone = true;
    seats.delete(seat);
    if (seat.idle) clearTimeout(seat.idle);
    void seat.worker.terminate();
    seat.listener?.ended(why);
    waiting.shift()?.();
  }

  function sit(): Seat {
    const start: WorkerStart = { file, api: pathToFileURL(API_FILE).href, within };
    const worker = new Worker(WORKER_FILE, {
      workerData: start,
      resourceLimits: LIMITS,
      execArgv: ['--no-warnings'],
      stdin: false,
    });
    worker.unref();
    let resolve: (hooks: readonly Declared[]) => void = () => {};
    let reject: (error: Error) => void = () => {};
    const loaded = new Promise<readonly Declared[]>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    loaded.catch(() => {});
    const seat: Seat = { worker, loaded, busy: false, gone: false, listener: null, idle: null };
    seats.add(seat);
    const fail = (why: string) => {
      clearTimeout(late);
      reject(new Error(why));
      leave(seat, why);
    };
    const late = setTimeout(() => fail(`it was not loaded within ${LOAD_MS} ms`), LOAD_MS).unref();
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'loaded') {
        clearTimeout(late);
        resolve(message.hooks);
      } else if (message.type === 'broken') {
        fail(message.message);
      } else {
        seat.listener?.heard(message);
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it used too much memory' : error.message),
    );
    worker.on('exit', () => fail('it ended itself'));
    return seat;
  }

  function rest(seat: Seat): void {
    seat.busy = false;
    seat.listener = null;
    seat.worker.unref();
    seat.idle = setTimeout(() => leave(seat, 'idle'), IDLE_MS).unref();
    waiting.shift()?.();
  }

  /** A free worker, a new one while there are few, or the next that gets free. */
  async function seatFor(deadline: number): Promise<Seat> {
    for (;;) {
      const free = [...seats].find((seat) => !seat.busy) ?? (seats.size < MAX_SEATS ? sit() : null);
      if (free) {
        free.busy = true;
        if (free.idle) clearTimeout(free.idle);
        return free;
      }
      const left = deadline - Date.now();
      if (left <= 0) throw new Error('all its workers are busy');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  return {
    async load() {
      const seat = await seatFor(Date.now() + LOAD_MS);
      try {
        return await seat.loaded;
      } finally {
        if (!seat.gone) rest(seat);
      }
    },

    async run({ hook, event, session, budgetMs, log }) {
      const deadline = Date.now() + budgetMs;
      const seat = await seatFor(deadline);
      seat.worker.ref();
      return await new Promise<Answered>((resolve, reject) => {
        let settled = false;
        const settle = (finish: () => void) => {
          if (settled) return;
          settled = true;
          clearTimeout(timer);
          unwatch();
          finish();
        };
        const post = (message: ToWorker) => seat.worker.postMessage(message);
        const timer = setTimeout(
          () => {
            post({ type: 'abort' });
            leave(seat, `no answer within ${budgetMs} ms`);
          },
          Math.max(deadline - Date.now(), 0),
        );
        const unwatch = watchMemory(() => leave(seat, 'it used too much memory'));
        seat.listener = {
          ended: (why) => settle(() => reject(new Error(why))),
          heard(message) {
            if (message.type === 'log') log(message.text);
            if (message.type !== 'answer' && message.type !== 'threw') return;
            settle(() => {
              rest(seat);
              if (message.type === 'answer') resolve(message);
              else reject(new Error(message.message));
            });
          },
        };
        seat.loaded.then(
          () => !seat.gone && post({ type: 'run', hook, event, session }),
          (error: Error) => settle(() => reject(error)),
        );
      });
    },

    close() {
      for (const seat of [...seats]) leave(seat, 'closed');
    },
  };
}
