import { closeSync, openSync, readSync, rmSync, type Stats, statSync } from 'node:fs';

/** Deletes a database, its log and SQLite's other files, if they exist. */
export function deleteDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

/** What others did to the files of an open database. */
export type ExternalChange =
  /** The file at the path isn't the one that is open. */
  | 'moved'
  /** Another process wrote to them. */
  | 'changed';

/** Watches the files of a database that only this process writes to. */
export interface DatabaseFiles {
  /** Called before a write and now and then: what others did since `note`. */
  look(): ExternalChange | null;
  /** Called after our own write. */
  note(): ExternalChange | null;
  /**
   * Called when another thread of this process opens the database. Until it ends it may write to the database, but
   * not to the log.
   */
  begins(): void;
  isOpen(): void;
  /** Called when that thread has ended, with the file's state before and after. Null if unknown. */
  ended(writes: { readonly before: FileSeen; readonly after: FileSeen } | null): void;
  /** True if the file still begins like a database with a log. Otherwise SQLite wouldn't open the log again. */
  hasHeader(): boolean;
  /** Called after the database was closed. */
  close(): void;
}

const MAGIC = 'SQLite format 3\0';
const LOG_VERSION = 2;

/** Identifies a file and its content; undefined if there is no file. */
export type FileSeen = Pick<Stats, 'dev' | 'ino' | 'size' | 'ctimeMs'> | undefined;

export function seeFile(path: string): FileSeen {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && { dev: found.dev, ino: found.ino, size: found.size, ctimeMs: found.ctimeMs };
}

export function watchDatabaseFiles(path: string): DatabaseFiles {
  return new WatchedFiles(path);
}

class WatchedFiles implements DatabaseFiles {
  readonly #paths: readonly string[];
  /** Kept open, because closing any descriptor of a database drops all SQLite locks on it. */
  readonly #file: number;
  #known: readonly FileSeen[];
  #isWrittenElsewhere = false;
  #isOpening = false;
  /** Written by others, before or after our other thread wrote. */
  #wasChanged = false;

  constructor(path: string) {
    this.#paths = [path, `${path}-wal`];
    this.#file = openSync(path, 'r');
    this.#known = this.#see();
  }

  look(): ExternalChange | null {
    const now = this.#see();
    if (this.#differs(now, isOther)) return 'moved';
    const isChanged = this.#wasChanged || this.#differs(this.#withoutOpening(this.#ours(now)), isWritten);
    return isChanged ? 'changed' : null;
  }

  note(): ExternalChange | null {
    const now = this.#see();
    if (this.#differs(now, isOther)) return 'moved';
    this.#known = this.#ours(now);
    this.#wasChanged = false;
    return null;
  }

  begins(): void {
    this.#isWrittenElsewhere = true;
    this.#isOpening = true;
  }

  isOpen(): void {
    const now = this.#see();
    if (!this.#differs(this.#withoutOpening(this.#ours(now)), isWritten)) this.#known = this.#ours(now);
    this.#isOpening = false;
  }

  ended(writes: Parameters<DatabaseFiles['ended']>[0]): void {
    this.#isWrittenElsewhere = false;
    this.#isOpening = false;
    const [before, log] = this.#known;
    // Unknown writes are examined as if another program made them.
    if (writes === null || before === undefined) return;
    this.#wasChanged ||= isWritten(before, writes.before);
    this.#known = [writes.after, log];
  }

  hasHeader(): boolean {
    const bytes = Buffer.alloc(20);
    readSync(this.#file, bytes, 0, bytes.length, 0);
    return (
      bytes.toString('latin1', 0, 16) === MAGIC && bytes[18] === LOG_VERSION && bytes[19] === LOG_VERSION
    );
  }

  close(): void {
    closeSync(this.#file);
  }

  #see(): readonly FileSeen[] {
    return this.#paths.map((one) => statSync(one, { throwIfNoEntry: false }));
  }

  /** A new log is ours: SQLite creates it with the first statement. */
  #differs(now: readonly FileSeen[], differ: (a: NonNullable<FileSeen>, b: FileSeen) => boolean): boolean {
    return this.#known.some((before, at) => before !== undefined && differ(before, now[at]));
  }

  /** Writes of our other thread are told apart once it has ended. */
  #ours([database, log]: readonly FileSeen[]): readonly FileSeen[] {
    return [this.#isWrittenElsewhere ? this.#known[0] : database, log];
  }

  /** If SQLite runs as root, opening a log changes its time. */
  #withoutOpening([database, log]: readonly FileSeen[]): readonly FileSeen[] {
    const [, known] = this.#known;
    const isOnlyOpened =
      this.#isOpening && known !== undefined && !isOther(known, log) && log?.size === known.size;
    return [database, isOnlyOpened ? known : log];
  }
}

const isOther = (a: NonNullable<FileSeen>, b: FileSeen) =>
  b === undefined || a.ino !== b.ino || a.dev !== b.dev;
/** Compares the change time, which no program can set, unlike the modification time. */
const isWritten = (a: NonNullable<FileSeen>, b: FileSeen) => a.ctimeMs !== b?.ctimeMs || a.size !== b.size;
