import { HooklineError } from '../../model/errors.ts';
import { openLibsql } from './driver-libsql.ts';
import { openNodeSqlite } from './driver-node.ts';

/** Values that SQLite accepts and returns. Integers come back as numbers, so keep them within 2^53. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;

/** A prepared statement with positional parameters. */
export interface Statement {
  run(...parameters: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  get(...parameters: readonly SqlValue[]): Row | undefined;
  all(...parameters: readonly SqlValue[]): readonly Row[];
}

/** One connection. Everything is synchronous. */
export interface Database {
  readonly driver: DriverName;
  /** Any number of statements, without parameters or results. */
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /** Runs all of `work`, or nothing if it throws. Takes the write lock at once; doesn't nest. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export type DriverName = 'node' | 'libsql';

export interface OpenOptions {
  /** Rejects writes and doesn't create the file. */
  readonly readonly?: boolean;
  /** Default: the best driver of this runtime. */
  readonly driver?: DriverName;
  /** How long to wait for the lock of another process. */
  readonly waitMs?: number;
}

/** Null if this runtime lacks the driver. */
type Driver = (path: string, readonly: boolean) => Database | null;

const DRIVERS: Readonly<Record<DriverName, Driver>> = { node: openNodeSqlite, libsql: openLibsql };
const BEST_FIRST: readonly DriverName[] = ['node', 'libsql'];

// A reader never waits in WAL mode; two writers meet only when a daemon is replaced.
const BUSY_TIMEOUT_MS = 5000;

/** Opens a connection with the settings that all connections share. */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  const readonly = options.readonly ?? false;
  for (const name of options.driver === undefined ? BEST_FIRST : [options.driver]) {
    const db = DRIVERS[name](path, readonly);
    if (db === null) continue;
    try {
      db.exec(`PRAGMA busy_timeout = ${options.waitMs ?? BUSY_TIMEOUT_MS}`);
      if (!readonly) db.exec(WRITER_SETTINGS);
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  }
  throw new HooklineError('STORE_DRIVER', `Node ${process.versions.node} cannot open ${path}: no SQLite.`, {
    hint: 'Use Node 22.16 or newer, or install Hookline again with this Node and its optional dependencies.',
  });
}

// With WAL, NORMAL survives a killed process but not a power cut, and syncs only at checkpoints. A call writes about
// seven pages, so SQLite's default of 1000 would make one call in 150 wait for the disk.
const WRITER_SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA journal_size_limit = 67108864;
`;

const UNIQUE_VIOLATIONS: readonly number[] = [2067, 1555];
const BUSY = 5;

/** A row with this key exists: the one error that callers expect. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATIONS.includes(codeOf(error));
}

/** Another connection held the lock for longer than this one waits. */
export function isBusy(error: unknown): boolean {
  // The lowest byte is the kind of error, the rest are details.
  return (codeOf(error) & 0xff) === BUSY;
}

const DAMAGED: readonly number[] = [11, 26];
const READ_ERRORS: readonly number[] = [266, 522];
const UNWRITABLE: readonly number[] = [8, 10, 13, 14];

/**
 * Tells errors of the files from those of a statement: the content isn't a valid database, or the disk rejects the
 * write.
 */
export function fileFault(error: unknown): 'damaged' | 'unwritable' | null {
  const code = codeOf(error);
  const kind = code & 0xff;
  if (DAMAGED.includes(kind) || READ_ERRORS.includes(code)) return 'damaged';
  return UNWRITABLE.includes(kind) ? 'unwritable' : null;
}

const SQLITE_ERROR = 1;

/** True if a statement failed although the files are fine. */
export function isOfStatement(error: unknown): boolean {
  return (codeOf(error) & 0xff) === SQLITE_ERROR;
}

function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  const code = 'errcode' in error ? error.errcode : 'rawCode' in error ? error.rawCode : 0;
  return typeof code === 'number' ? code : 0;
}
