import { type CheckpointThread, createCheckpointThread } from './checkpoint-thread.ts';
import type { CheckpointAnswer, CheckpointWrites } from './checkpoint-worker.ts';
import type { Checkpointed } from './checkpointed.ts';

/** Moves the log into the database beside the work: to sync both takes longer than many calls. */
export interface Checkpoints {
  /** The log has about so many pages more. */
  written(pages: number): void;
  stop(): void;
}

interface CheckpointsOptions {
  readonly path: string;
  /** Moves it in this thread. */
  here(): Checkpointed;
  /** Another thread opens the database, and then may write to its file. */
  begins(): void;
  /** It has it open. */
  isOpen(): void;
  /** It has stopped; null if what it wrote is unknown. */
  ended(writes: CheckpointWrites | null): void;
  readonly script?: URL | undefined;
}

/** So often another thread moves what there is. */
export const MOVED_EVERY_PAGES = 4_000;
/** The log restarts only when all of it was moved and nothing was written meanwhile: past this, it is waited for. */
export const MOST_PAGES: number = 2 * MOVED_EVERY_PAGES;

export function openCheckpoints(options: CheckpointsOptions): Checkpoints {
  return new LogMover(options);
}

class LogMover implements Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #thread: CheckpointThread;
  /** In the log, about. */
  #pages = 0;
  #next = MOVED_EVERY_PAGES;
  /** Written while another thread moves what was there before. */
  #meanwhile = 0;
  #isMoving = false;
  /** Without it, this thread does it. */
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
    // It hangs, as on a disk that does not answer.
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
    // Whatever keeps it from that is not tried again with each call.
    this.#next = this.#pages + MOVED_EVERY_PAGES;
    try {
      this.#settle(this.#options.here());
    } catch {
      // What is wrong with the files is found when they are looked at.
    }
  }

  #settle({ logged, moved }: Checkpointed): void {
    this.#pages = moved < logged || this.#meanwhile > 0 ? logged + this.#meanwhile : 0;
    this.#next = this.#pages + MOVED_EVERY_PAGES;
  }
}
