import { closeSync, openSync, readSync, rmSync, type Stats, statSync } from 'node:fs';

/** Deletes a database, its log and what SQLite keeps beside them, as far as they are there. */
export function deleteDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

/** What others did to the files of a database that we have open. */
export type ExternalChange =
  /** What is at the path is not what we have open. */
  | 'moved'
  /** Another process wrote to them. */
  | 'changed';

/** Looks at the files of a database that only this process writes to. */
export interface DatabaseFiles {
  /** Before something is written, and once in a while: what others did since `note`. */
  look(): ExternalChange | null;
  /** After we have written. */
  note(): ExternalChange | null;
  /** Another thread of ours opens the database, and then may write to it, but not to the log, until that ends. */
  begins(): void;
  isOpen(): void;
  /** It has: how the file was before and afterwards. Null where that is not known. */
  ended(writes: { readonly before: FileSeen; readonly after: FileSeen } | null): void;
  /** Whether the file still begins as a database with a log does. Without that, SQLite would not open the log again. */
  hasHeader(): boolean;
  /** After the database was closed. */
  close(): void;
}

const MAGIC = 'SQLite format 3\0';
const LOG_VERSION = 2;

/** What tells a file from another one, and one content from the next; undefined where there is none. */
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
  /** Kept open: closing any descriptor of a database drops all locks that SQLite has on it. */
  readonly #file: number;
  #known: readonly FileSeen[];
  #isWrittenElsewhere = false;
  #isOpening = false;
  /** By others, before or after another thread of ours wrote. */
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
    // Unknown writes are looked into, as if they were another program's.
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

  /** A log that was not there yet is ours: SQLite makes it with the first statement. */
  #differs(now: readonly FileSeen[], differ: (a: NonNullable<FileSeen>, b: FileSeen) => boolean): boolean {
    return this.#known.some((before, at) => before !== undefined && differ(before, now[at]));
  }

  /** What another thread does to the database is told apart once it has ended. */
  #ours([database, log]: readonly FileSeen[]): readonly FileSeen[] {
    return [this.#isWrittenElsewhere ? this.#known[0] : database, log];
  }

  /** Where SQLite runs as root, to open a log gives it another time. */
  #withoutOpening([database, log]: readonly FileSeen[]): readonly FileSeen[] {
    const [, known] = this.#known;
    const isOnlyOpened =
      this.#isOpening && known !== undefined && !isOther(known, log) && log?.size === known.size;
    return [database, isOnlyOpened ? known : log];
  }
}

const isOther = (a: NonNullable<FileSeen>, b: FileSeen) =>
  b === undefined || a.ino !== b.ino || a.dev !== b.dev;
/** Compares the change time, which no program can set, unlike the time of the last write. */
const isWritten = (a: NonNullable<FileSeen>, b: FileSeen) => a.ctimeMs !== b?.ctimeMs || a.size !== b.size;
