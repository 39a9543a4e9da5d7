import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { HookEvent } from '../../model/events.ts';
import type { HookSession } from '../define.ts';
import type { Ask } from '../hook.ts';
import { API_FILE, WORKER_FILE } from './build.ts';
import { watchMemory } from './memory.ts';
import type { Declared, FromWorker, ToWorker, WorkerStart } from './protocol.ts';

export interface Answered {
  readonly response: unknown;
  readonly state: unknown;
}

export interface HookCall extends Ask {
  readonly hook: number;
  readonly event: HookEvent;
  readonly session: HookSession;
}

/** A hook file, and how to load it. */
export type HookSource = Omit<WorkerStart, 'api'>;

/** Receives the thread's messages while it has an event, and the reason if it ends. */
interface Listener {
  received(message: FromWorker): void;
  ended(reason: string): void;
}

/** Longer than a busy machine takes. The waiting caller gets a hold. */
export const LOAD_MS = 15_000;
/** A worker idle for this long is ended, to free its memory. */
const IDLE_MS = 5 * 60_000;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** The file may be fine and the machine slow. */
export class LoadedLate extends Error {
  constructor() {
    super(`it was not loaded within ${LOAD_MS} ms`);
  }
}

/** One thread with the hooks of one file. It handles one event at a time, and isn't restarted once it ended. */
export class HookWorker {
  /** The file's declarations. Rejects if it can't be loaded. */
  readonly loaded: Promise<readonly Declared[]>;
  #busy = false;
  #isLoaded = false;
  #ended = false;
  #idle: NodeJS.Timeout | undefined;
  #listener: Listener | null = null;
  readonly #loading = createLoading();
  readonly #thread: Worker;
  readonly #onEnd: () => void;

  constructor(source: HookSource, onEnd: () => void) {
    this.loaded = this.#loading.done;
    this.#thread = startThread(source);
    this.#onEnd = onEnd;
    const late = setTimeout(() => this.end(new LoadedLate()), LOAD_MS).unref();
    this.loaded.catch(() => {}).finally(() => clearTimeout(late));
    this.#thread.on('message', (message: FromWorker) => this.#received(message));
    this.#thread.on('error', (error: NodeJS.ErrnoException) =>
      this.end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it used too much memory' : error.message),
    );
    this.#thread.on('exit', () => this.end('it exited'));
  }

  get busy(): boolean {
    return this.#busy;
  }

  get ended(): boolean {
    return this.#ended;
  }

  occupy(): void {
    this.#busy = true;
    clearTimeout(this.#idle);
  }

  release(): void {
    this.#busy = false;
    this.#idle = setTimeout(() => this.end('idle'), IDLE_MS).unref();
  }

  end(reason: string | Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#idle);
    void this.#thread.terminate();
    const error = reason instanceof Error ? reason : new Error(reason);
    this.#loading.reject(error);
    this.#listener?.ended(error.message);
    this.#onEnd();
  }

  /** Rejects if the hook throws, or the worker ends before it answers. */
  async run(call: HookCall): Promise<Answered> {
    const { hook, event, session, budgetMs } = call;
    this.#thread.ref();
    let unwatch = () => {};
    try {
      // Loading the file doesn't count toward the hook's own time.
      if (!this.#isLoaded) call.hold(LOAD_MS + budgetMs);
      await this.loaded;
      return await new Promise<Answered>((resolve, reject) => {
        if (this.#ended) return reject(new Error('it exited'));
        this.#listener = answerListener(call, resolve, reject);
        unwatch = this.#watch(budgetMs);
        this.#post({ type: 'run', hook, event, session });
      });
    } finally {
      unwatch();
      this.#listener = null;
      this.#thread.unref();
    }
  }

  /** Ends the worker if its call takes too long or too much memory, until the returned function is called. */
  #watch(budgetMs: number): () => void {
    const late = setTimeout(() => {
      this.#post({ type: 'abort' });
      this.end(`no answer within ${budgetMs} ms`);
    }, budgetMs);
    const unwatch = watchMemory(() => this.end('it used too much memory'));
    return () => {
      clearTimeout(late);
      unwatch();
    };
  }

  #post(message: ToWorker): void {
    this.#thread.postMessage(message);
  }

  #received(message: FromWorker): void {
    if (message.type === 'loaded') {
      this.#isLoaded = true;
      this.#loading.resolve(message.hooks);
    } else if (message.type === 'broken') this.end(message.message);
    else this.#listener?.received(message);
  }
}

function startThread(source: HookSource): Worker {
  const start: WorkerStart = { ...source, api: pathToFileURL(API_FILE).href };
  const thread = new Worker(WORKER_FILE, {
    workerData: start,
    resourceLimits: LIMITS,
    execArgv: ['--no-warnings'],
    stdin: false,
  });
  thread.unref();
  return thread;
}

interface Loading {
  readonly done: Promise<readonly Declared[]>;
  resolve(hooks: readonly Declared[]): void;
  reject(error: Error): void;
}

function createLoading(): Loading {
  let resolve: Loading['resolve'] = () => {};
  let reject: Loading['reject'] = () => {};
  const done = new Promise<readonly Declared[]>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { done, resolve, reject };
}

function answerListener(
  call: HookCall,
  resolve: (answered: Answered) => void,
  reject: (error: Error) => void,
): Listener {
  return {
    ended: (reason) => reject(new Error(reason)),
    received(message) {
      if (message.type === 'log') call.log(message.text);
      if (message.type === 'answer') resolve(message);
      if (message.type === 'threw') reject(new Error(message.message));
    },
  };
}
