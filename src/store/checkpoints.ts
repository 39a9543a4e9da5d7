import { type CheckpointThread, createCheckpointThread } from './checkpoint-thread.ts';
import type { CheckpointAnswer, CheckpointWrites } from './checkpoint-worker.ts';
import type { Checkpointed } from './checkpointed.ts';

/** Runs checkpoints off the main thread: syncing log and database takes longer than many calls. */
export interface Checkpoints {
  /** The log grew by about this many pages. */
  written(pages: number): void;
  stop(): void;
}

interface CheckpointsOptions {
  readonly path: string;
  /** Runs a checkpoint in this thread. */
  here(): Checkpointed;
  /** Called when another thread opens the database and may write to its file. */
  begins(): void;
  /** The thread has the database open. */
  isOpen(): void;
  /** The thread has stopped; null if its writes are unknown. */
  ended(writes: CheckpointWrites | null): void;
  readonly script?: URL | undefined;
}

/** Interval in pages for checkpoints in the other thread. */
export const MOVED_EVERY_PAGES = 4_000;
/** The log restarts only after a complete checkpoint without writes in between. Past this size, calls wait for that. */
export const MOST_PAGES: number = 2 * MOVED_EVERY_PAGES;

export function openCheckpoints(options: CheckpointsOptions): Checkpoints {
  return new LogMover(options);
}

class LogMover implements Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #thread: CheckpointThread;
  /** Approximate pages in the log. */
  #pages = 0;
  #next = MOVED_EVERY_PAGES;
  /** Pages written while another thread runs a checkpoint. */
  #meanwhile = 0;
  #isMoving = false;
  /** Without the other thread, this one runs checkpoints. */
  #hasThread = true;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#thread = createCheckpointThread(options, (answer) => this.#take(answer));
  }

  written(pages: number): void {
    this.#pages += pages;
    if (this.#isMoving) this.#meanwhile += pages;
    if (this.#pages < this.#next) return;
    if (!this.#isMoving && this.#hasThread) this.#moveElsewhere();
    else if (!this.#isMoving) this.#moveHere();
    // The thread hangs, as on a disk that doesn't respond.
    else if (this.#pages >= this.#next + MOST_PAGES) this.#thread.fail('it takes too long');
  }

  stop(): void {
    this.#hasThread = false;
    this.#thread.stop();
  }

  #moveElsewhere(): void {
    this.#isMoving = true;
    this.#options.begins();
    this.#thread.start();
  }

  #take(answer: CheckpointAnswer): void {
    if ('isOpen' in answer) {
      this.#options.isOpen();
      return;
    }
    this.#isMoving = false;
    const isMoved = 'logged' in answer;
    this.#options.ended(isMoved ? answer : null);
    if (isMoved) this.#settle(answer);
    else this.#hasThread = false;
    this.#meanwhile = 0;
    if (!isMoved || this.#pages >= MOST_PAGES) this.#moveHere();
  }

  #moveHere(): void {
    // After a failure, doesn't try again on every call.
    this.#next = this.#pages + MOVED_EVERY_PAGES;
    try {
      this.#settle(this.#options.here());
    } catch {
      // The check of the files reports what is wrong with them.
    }
  }

  #settle({ logged, moved }: Checkpointed): void {
    this.#pages = moved < logged || this.#meanwhile > 0 ? logged + this.#meanwhile : 0;
    this.#next = this.#pages + MOVED_EVERY_PAGES;
  }
}
