import { closeSync, readSync, type Stats, statSync } from 'node:fs';
import type { QueryRows } from '../../agents/kit/history.ts';
import { openRegularFile } from '../../platform/bounded-files.ts';
import { type Database, openDatabase } from '../../store/database/driver.ts';

// A payload names the database, so it need not be one: SQLite would wait for a pipe, a file of the kernel or the lock of another
// process, and every agent would wait meanwhile.

const MAGIC = Buffer.from('SQLite format 3\0');

/** Whether SQLite can open it without waiting. A process could still replace a file between this look and that of SQLite. */
export function isDatabase(path: string): boolean {
  const files = ['', '-wal', '-journal', '-shm'].map((end) => statIfAny(`${path}${end}`));
  if (files.some((file) => file !== undefined && !file.isFile())) return false;
  try {
    const file = openRegularFile(path);
    if (file === null) return false;
    try {
      const start = Buffer.alloc(MAGIC.length);
      return readSync(file, start, 0, start.length, 0) === start.length && start.equals(MAGIC);
    } finally {
      closeSync(file);
    }
  } catch {
    // There is none (any more), or the system tells nothing of it now.
    return false;
  }
}

/** Asks another program's database, which is not written. Throws where it is locked, or where a query meets anything but plain tables. */
export function withClientDatabase<T>(path: string, read: (query: QueryRows) => T): T {
  const db = openDatabase(path, { readonly: true, waitMs: 0 });
  try {
    requirePlainTables(db);
    return read((sql, ...values) => db.prepare(sql).all(...values));
  } finally {
    db.close();
  }
}

/** A view, a module or an expression of a column runs whatever its author likes, also without end. */
function requirePlainTables(db: Database): void {
  const computed = db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'view' OR (type = 'table' AND (sql LIKE 'CREATE VIRTUAL%'
         OR EXISTS (SELECT 1 FROM pragma_table_xinfo(sqlite_schema.name) WHERE hidden <> 0)))`,
    )
    .get();
  if (computed !== undefined) throw new Error(`its table ${computed.name} is computed`);
}

/** Undefined where there is nothing that can be looked at, also for a path that no file can have. */
export function statIfAny(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
