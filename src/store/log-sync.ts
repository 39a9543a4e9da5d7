import * as files from 'node:fs';

/** Syncs the write-ahead log of a store to disk in the background, a little at a time. */
interface LogSync {
  /** Something was written. */
  written(): void;
  stop(): void;
}

/** What it needs of `node:fs`. */
interface FileSync {
  open(path: string, flags: 'r', opened: (failed: Error | null, file: number) => void): void;
  fdatasync(file: number, done: () => void): void;
  close(file: number, closed: () => void): void;
}

const SYNC_MS = 50;

/**
 * A checkpoint has to sync all of the log first, on the main thread: what is synced already costs it nothing.
 * It also bounds what a power cut takes. Only the log may be opened beside SQLite: closing another file of a database
 * would drop SQLite's locks on it.
 */
export function startLogSync(database: string, { open, fdatasync, close }: FileSync = files): LogSync {
  const path = `${database}-wal`;
  let timer: NodeJS.Timeout | null = null;
  let running = false;
  let waiting = false;
  const sync = () => {
    timer = null;
    waiting = false;
    running = true;
    const finish = () => {
      running = false;
      if (waiting) arm();
    };
    // Opened each time: a store that was emptied meanwhile has another log.
    open(path, 'r', (failed, file) => {
      if (failed) finish();
      else fdatasync(file, () => close(file, finish));
    });
  };
  const arm = () => {
    timer ??= setTimeout(sync, SYNC_MS).unref();
  };
  return {
    written() {
      waiting = true;
      if (!running) arm();
    },
    stop() {
      waiting = false;
      if (timer) clearTimeout(timer);
    },
  };
}
