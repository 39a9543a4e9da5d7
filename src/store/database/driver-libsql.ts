import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Database, Row, SqlValue } from './driver.ts';
import { transactionOf } from './transaction.ts';

// Its own types are those of better-sqlite3 and promise what it does not do (readonly, named rows).
interface LibsqlStatement {
  run(parameters: readonly SqlValue[]): { changes: number; lastInsertRowid: number };
  get(parameters: readonly SqlValue[]): (Record<string, SqlValue> & { _metadata?: unknown }) | undefined;
  all(parameters: readonly SqlValue[]): Row[];
}

interface LibsqlDatabase {
  exec(sql: string): void;
  prepare(sql: string): LibsqlStatement;
  close(): void;
}

type Libsql = new (path: string) => LibsqlDatabase;

/** SQLite for runtimes that have none; null when the optional dependency is not installed. */
export function openLibsql(path: string, readonly: boolean): Database | null {
  const Libsql = loadLibsql();
  if (Libsql === null) return null;
  // libsql 0.5.29 ignores its `readonly` option; SQLite's own address syntax works.
  const db = new Libsql(readonly ? `${pathToFileURL(path).href}?mode=ro` : path);
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    return {
      run: (...parameters: readonly SqlValue[]) => {
        const { changes, lastInsertRowid } = statement.run(bindable(parameters));
        return { changes, lastInsertRowid };
      },
      get: (...parameters: readonly SqlValue[]) => {
        const row = statement.get(bindable(parameters));
        // libsql 0.5.29 puts its timing among the columns.
        if (row !== undefined) delete row._metadata;
        return row;
      },
      all: (...parameters: readonly SqlValue[]) => statement.all(bindable(parameters)),
    };
  };
  return {
    driver: 'libsql',
    exec: (sql) => db.exec(sql),
    prepare,
    transaction: transactionOf(prepare),
    close: () => db.close(),
  };
}

/**
 * A checkout depends on libsql itself; a published package on one that npm installs only for a Node without a usable
 * SQLite, and that exports libsql.
 */
const PACKAGES = ['libsql', '@hookline/sqlite'];

function loadLibsql(): Libsql | null {
  const load = createRequire(import.meta.url);
  for (const name of PACKAGES) {
    try {
      return load(name);
    } catch {
      // Not installed, or without a build for this platform: the caller tells what to do.
    }
  }
  return null;
}

/** libsql 0.5.29 aborts the whole process on a boolean; an exception is what every other wrong type gets. */
function bindable(parameters: readonly unknown[]): readonly SqlValue[] {
  if (parameters.every(isBindable)) return parameters;
  throw new TypeError('A parameter is of a type that SQLite does not have.');
}

function isBindable(value: unknown): value is SqlValue {
  const type = typeof value;
  return (
    type === 'string' ||
    type === 'number' ||
    type === 'bigint' ||
    value === null ||
    value instanceof Uint8Array
  );
}
