import { NotAskedError } from '../hook.ts';
import { type Answered, type HookCall, type HookSource, HookWorker, LOAD_MS } from './hook-worker.ts';
import type { Declared } from './protocol.ts';

const MAX_WORKERS = 4;
/** However long the agent would wait. */
const MAX_WAIT_MS = 120_000;
const MAX_QUEUED = 1_000;

/** The workers of one file. Each handles one event at a time, and is replaced if it misbehaves. */
export class Pool {
  readonly #source: HookSource;
  readonly #workers = new Set<HookWorker>();
  readonly #queue: ((worker: HookWorker) => void)[] = [];
  #closed = false;

  constructor(source: HookSource) {
    this.#source = source;
  }

  /** The file's declarations. Rejects if it can't be loaded. */
  load(): Promise<readonly Declared[]> {
    return this.#use(
      this.#acquire(LOAD_MS, () => {}),
      (worker) => worker.loaded,
    );
  }

  /** Its time starts once a worker takes the call. Rejects with NotAskedError if none does. */
  run(call: HookCall): Promise<Answered> {
    const deadline = Date.now() + call.leftMs;
    const waitMs = waitOf(call);
    const acquired = this.#acquire(waitMs, () => call.hold(waitMs + LOAD_MS + call.budgetMs));
    return this.#use(acquired, (worker) =>
      worker.run({ ...call, budgetMs: Math.min(call.budgetMs, Math.max(deadline - Date.now(), 1)) }),
    );
  }

  close(): void {
    this.#closed = true;
    for (const worker of [...this.#workers]) worker.end('closed');
  }

  #start(): HookWorker {
    const worker = new HookWorker(this.#source, () => {
      this.#workers.delete(worker);
      this.#serveQueue();
    });
    this.#workers.add(worker);
    return worker;
  }

  /** First come, first served: by a free worker, or by a new one up to the limit. */
  #serveQueue(): void {
    while (this.#queue.length > 0) {
      const free = [...this.#workers].find(({ busy }) => !busy);
      const worker = free ?? (this.#workers.size < MAX_WORKERS ? this.#start() : null);
      if (!worker) return;
      worker.occupy();
      this.#queue.shift()?.(worker);
    }
  }

  #acquire(waitMs: number, onQueued: () => void): Promise<HookWorker> {
    if (this.#queue.length >= MAX_QUEUED) return Promise.reject(this.#busy());
    return new Promise((resolve, reject) => {
      const take = (worker: HookWorker) => {
        clearTimeout(timer);
        resolve(worker);
      };
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(take), 1);
        reject(this.#busy());
      }, waitMs);
      this.#queue.push(take);
      this.#serveQueue();
      if (this.#queue.includes(take)) onQueued();
    });
  }

  async #use<T>(acquired: Promise<HookWorker>, work: (worker: HookWorker) => Promise<T>): Promise<T> {
    const worker = await acquired;
    try {
      return await work(worker);
    } finally {
      if (this.#closed) worker.end('closed');
      else if (!worker.ended) {
        worker.release();
        this.#serveQueue();
      }
    }
  }

  #busy(): NotAskedError {
    return new NotAskedError(`all its workers are busy, and ${this.#queue.length} other calls are queued`);
  }
}

/** Leaves time for the answer itself, or half of the total if the hook may take longer. */
function waitOf({ budgetMs, leftMs }: HookCall): number {
  return Math.min(Math.max(leftMs - budgetMs, leftMs / 2), MAX_WAIT_MS);
}
