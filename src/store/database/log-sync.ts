import * as files from 'node:fs';

/** Syncs the write-ahead log of a store to disk in the background, a little at a time. */
interface LogSync {
  /** Reports a write to the log of this generation of the database. */
  written(generation: number): void;
  stop(): void;
}

/** The part of `node:fs` that it uses. */
interface FileSync {
  open(path: string, flags: 'r', opened: (failed: Error | null, file: number) => void): void;
  fdatasync(file: number, done: () => void): void;
  close(file: number, closed: () => void): void;
}

const SYNC_MS = 50;

/**
 * A checkpoint first syncs the whole log on the main thread, so what is synced here makes it faster. This also limits
 * what a power cut loses. Only the log may be opened next to SQLite: closing another file of a database would drop
 * SQLite's locks on it.
 */
export function startLogSync(database: string, io: FileSync = files): LogSync {
  return new BackgroundSync(`${database}-wal`, io);
}

class BackgroundSync implements LogSync {
  readonly #path: string;
  readonly #io: FileSync;
  #timer: NodeJS.Timeout | null = null;
  #isRunning = false;
  #isWaiting = false;
  #isStopped = false;
  #newest = 0;
  /** Kept open, because opening and closing takes longer than the sync. */
  #log: { readonly file: number; readonly generation: number } | null = null;

  constructor(path: string, io: FileSync) {
    this.#path = path;
    this.#io = io;
  }

  written(generation: number): void {
    this.#newest = generation;
    this.#isWaiting = true;
    if (!this.#isRunning) this.#arm();
  }

  stop(): void {
    this.#isWaiting = false;
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (!this.#isRunning) this.#letGo(() => {});
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => this.#sync(), SYNC_MS).unref();
  }

  #sync(): void {
    const { open, fdatasync } = this.#io;
    const generation = this.#newest;
    const finish = () => this.#finish();
    this.#timer = null;
    this.#isWaiting = false;
    this.#isRunning = true;
    if (this.#log?.generation === generation) {
      fdatasync(this.#log.file, finish);
      return;
    }
    this.#letGo(() =>
      open(this.#path, 'r', (failed, file) => {
        if (failed) return finish();
        this.#log = { file, generation };
        fdatasync(file, finish);
      }),
    );
  }

  #finish(): void {
    this.#isRunning = false;
    if (this.#isStopped) this.#letGo(() => {});
    else if (this.#isWaiting) this.#arm();
  }

  #letGo(then: () => void): void {
    const log = this.#log;
    this.#log = null;
    if (log === null) then();
    else this.#io.close(log.file, then);
  }
}
