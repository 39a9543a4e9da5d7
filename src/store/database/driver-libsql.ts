import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Database, Row, SqlValue } from './driver.ts';
import { transactionOf } from './transaction.ts';

// libsql's own types are those of better-sqlite3, which promise features it lacks (readonly, named rows).
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

/** SQLite for runtimes without it; null if the optional dependency isn't installed. */
export function openLibsql(path: string, readonly: boolean): Database | null {
  const Libsql = loadLibsql();
  if (Libsql === null) return null;
  // libsql 0.5.29 ignores its `readonly` option, but SQLite's URI syntax works.
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
        // libsql 0.5.29 adds its timing to the columns.
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
 * A checkout depends on libsql itself. A published package depends on a wrapper that npm installs only for a Node
 * without a usable SQLite.
 */
const PACKAGES = ['libsql', '@hookline/sqlite'];

function loadLibsql(): Libsql | null {
  const load = createRequire(import.meta.url);
  for (const name of PACKAGES) {
    try {
      return load(name);
    } catch {
      // Not installed, or no build for this platform: the caller prints the instructions.
    }
  }
  return null;
}

/** libsql 0.5.29 aborts the whole process on a boolean; every other wrong type throws. */
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
