import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../model/errors.ts';
import type { CheckpointAnswer, CheckpointJob, EndJob, FromCheckpoints } from './checkpoint-worker.ts';

interface CheckpointThreadOptions {
  readonly path: string;
  readonly script?: URL | undefined;
}

const IDLE_MS = 5_000;
/** Ends the thread, before the store is closed. */
const END_MS = 5_000;
const END: EndJob = { end: true };
const LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/** The thread that runs checkpoints. */
export interface CheckpointThread {
  start(): void;
  fail(why: string): void;
  stop(): void;
}

/**
 * Terminating a thread inside the SQLite of Node 20 kills the whole process. So the thread is only asked to end, and
 * a hanging one is abandoned.
 */
interface Running {
  readonly worker: Worker;
  /** Becomes 1 once it has closed the database. */
  readonly ended: Int32Array;
}

/** Runs only while checkpoints are needed. Each start gets one answer, unless it is stopped. */
export function createCheckpointThread(
  options: CheckpointThreadOptions,
  answered: (answer: CheckpointAnswer) => void,
): CheckpointThread {
  return new Thread(options, answered);
}

class Thread implements CheckpointThread {
  readonly #path: string;
  readonly #script: URL;
  readonly #answered: (answer: CheckpointAnswer) => void;
  #running: Running | null = null;
  #idle: NodeJS.Timeout | undefined;
  #id = 0;
  #isAsked = false;

  constructor(
    { path, script = new URL('./checkpoint-worker.cjs', import.meta.url) }: CheckpointThreadOptions,
    answered: (answer: CheckpointAnswer) => void,
  ) {
    this.#path = path;
    this.#script = script;
    this.#answered = answered;
  }

  start(): void {
    clearTimeout(this.#idle);
    this.#id += 1;
    this.#isAsked = true;
    const job: CheckpointJob = { id: this.#id, path: this.#path };
    try {
      this.#running ??= this.#begin();
      this.#running.worker.postMessage(job);
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  fail(problem: string): void {
    const wasAsked = this.#isAsked;
    this.#end();
    if (wasAsked) this.#answered({ problem });
  }

  stop(): void {
    const running = this.#end();
    if (running !== null) Atomics.wait(running.ended, 0, 0, END_MS);
  }

  #end(): Running | null {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#isAsked = false;
    this.#running = null;
    running?.worker.postMessage(END);
    return running;
  }

  #begin(): Running {
    if (this.#script.protocol === 'file:' && !existsSync(this.#script))
      throw new Error('there is no such thread');
    const ended = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(this.#script, {
      workerData: ended,
      resourceLimits: LIMITS,
      execArgv: ['--no-warnings'],
    });
    const failed = (why: string) => {
      if (this.#running?.worker === worker) this.fail(why);
    };
    worker.unref();
    worker.on('message', (message: FromCheckpoints) => this.#take(message));
    worker.on('error', (error) => failed(error.message));
    worker.on('exit', () => failed('the thread ended'));
    return { worker, ended };
  }

  #take({ id, answer }: FromCheckpoints): void {
    if (!this.#isAsked || id !== this.#id) return;
    if (!('isOpen' in answer)) {
      this.#isAsked = false;
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
    this.#answered(answer);
  }
}
