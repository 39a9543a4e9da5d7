import { closeSync, openSync, readSync, rmSync, type Stats, statSync } from 'node:fs';

/** Deletes a database, its log and what SQLite keeps beside them, as far as they are there. */
export function deleteDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

/** What others did to the files of a database that we have open. */
export type Meddling =
  /** What is at the path is not what we have open. */
  | 'moved'
  /** Somebody else wrote to them. */
  | 'changed';

/** Looks at the files of a database that only this process writes to. */
export interface DatabaseFiles {
  /** Before something is written, and once in a while: what others did since `note`. */
  look(): Meddling | null;
  /** After we have written. */
  note(): Meddling | null;
  /** Whether the file still begins as a database with a log does. Without that, nobody would open the log again. */
  hasHeader(): boolean;
  /** After the database was closed. */
  close(): void;
}

const MAGIC = 'SQLite format 3\0';
const LOG_VERSION = 2;

type Seen = Pick<Stats, 'dev' | 'ino' | 'size' | 'ctimeMs'> | undefined;

export function watchDatabaseFiles(path: string): DatabaseFiles {
  const paths = [path, `${path}-wal`] as const;
  const see = () => paths.map((one): Seen => statSync(one, { throwIfNoEntry: false }));
  // Kept open: closing any descriptor of a database drops all locks that SQLite has on it.
  const file = openSync(path, 'r');
  let known = see();
  const compare = (now: readonly Seen[], differ: (a: NonNullable<Seen>, b: Seen) => boolean) =>
    // A log that was not there yet is ours: SQLite makes it with the first statement.
    known.some((before, at) => before !== undefined && differ(before, now[at]));
  return {
    look() {
      const now = see();
      if (compare(now, isOther)) return 'moved';
      if (compare(now, isWritten)) return 'changed';
      return null;
    },
    note() {
      const now = see();
      if (compare(now, isOther)) return 'moved';
      known = now;
      return null;
    },
    hasHeader() {
      const bytes = Buffer.alloc(20);
      readSync(file, bytes, 0, bytes.length, 0);
      return (
        bytes.toString('latin1', 0, 16) === MAGIC && bytes[18] === LOG_VERSION && bytes[19] === LOG_VERSION
      );
    },
    close: () => closeSync(file),
  };
}

const isOther = (a: NonNullable<Seen>, b: Seen) => b === undefined || a.ino !== b.ino || a.dev !== b.dev;
/** By the time that nobody can set, unlike that of the last write. */
const isWritten = (a: NonNullable<Seen>, b: Seen) => a.ctimeMs !== b?.ctimeMs || a.size !== b.size;
