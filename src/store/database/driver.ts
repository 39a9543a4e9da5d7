import { HooklineError } from '../../model/errors.ts';
import { openLibsql } from './driver-libsql.ts';
import { openNodeSqlite } from './driver-node.ts';

/** What SQLite takes and gives. Integers come back as numbers: keep them within 2^53. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;

/** A prepared statement. Parameters are by position. */
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
  /** All of `work` or, when it throws, nothing. Takes the write lock at once; does not nest. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export type DriverName = 'node' | 'libsql';

export interface OpenOptions {
  /** Refuses writes and does not create the file. */
  readonly readonly?: boolean;
  /** Instead of the best one that this runtime has. */
  readonly driver?: DriverName;
  /** How long to wait for the lock of another process. */
  readonly waitMs?: number;
}

/** Null when this runtime does not have the driver. */
type Driver = (path: string, readonly: boolean) => Database | null;

const DRIVERS: Readonly<Record<DriverName, Driver>> = { node: openNodeSqlite, libsql: openLibsql };
const BEST_FIRST: readonly DriverName[] = ['node', 'libsql'];

// A reader never waits in WAL mode; two writers meet only when a daemon is replaced.
const BUSY_TIMEOUT_MS = 5000;

/** Opens a connection, with the settings that every connection has. */
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

// With WAL, NORMAL survives the death of the process (not of the power), and syncs only at checkpoints. A call
// writes some seven pages: SQLite's own 1000 between checkpoints would make one call in 150 wait for the disk.
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

/** Another connection wrote for longer than this one waits. */
export function isBusy(error: unknown): boolean {
  // The lowest byte has the kind of error, the others details.
  return (codeOf(error) & 0xff) === BUSY;
}

const DAMAGED: readonly number[] = [11, 26];
const READ_ERRORS: readonly number[] = [266, 522];
const UNWRITABLE: readonly number[] = [8, 10, 13, 14];

/**
 * What an error says of the files rather than of the statement: they hold what no SQLite wrote, or the disk does not
 * take what is to be written.
 */
export function fileFault(error: unknown): 'damaged' | 'unwritable' | null {
  const code = codeOf(error);
  const kind = code & 0xff;
  if (DAMAGED.includes(kind) || READ_ERRORS.includes(code)) return 'damaged';
  return UNWRITABLE.includes(kind) ? 'unwritable' : null;
}

const SQLITE_ERROR = 1;

/** Whether SQLite could not do what a statement says, with files that are in order. */
export function isOfStatement(error: unknown): boolean {
  return (codeOf(error) & 0xff) === SQLITE_ERROR;
}

function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  const code = 'errcode' in error ? error.errcode : 'rawCode' in error ? error.rawCode : 0;
  return typeof code === 'number' ? code : 0;
}
