import { closeSync, readSync, type Stats, statSync } from 'node:fs';
import type { QueryRows } from '../../agents/kit/history.ts';
import { openRegularFile } from '../../platform/bounded-files.ts';
import { type Database, openDatabase } from '../../store/database/driver.ts';

// A payload names the path, so it may not be a database. SQLite would wait for a pipe, a kernel file or another
// process's lock, and every agent with it.

const MAGIC = Buffer.from('SQLite format 3\0');

/** True if SQLite can open it without waiting. A process could still replace the file before SQLite opens it. */
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
    // It is missing, or unreadable at the moment.
    return false;
  }
}

/**
 * Queries another program's database without writing to it. Throws if it is locked, or if a query meets anything but
 * plain tables.
 */
export function withClientDatabase<T>(path: string, read: (query: QueryRows) => T): T {
  const db = openDatabase(path, { readonly: true, waitMs: 0 });
  try {
    requirePlainTables(db);
    return read((sql, ...values) => db.prepare(sql).all(...values));
  } finally {
    db.close();
  }
}

/** A view, a virtual table or a generated column runs what its author likes, possibly forever. */
function requirePlainTables(db: Database): void {
  const computed = db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'view' OR (type = 'table' AND (sql LIKE 'CREATE VIRTUAL%'
         OR EXISTS (SELECT 1 FROM pragma_table_xinfo(sqlite_schema.name) WHERE hidden <> 0)))`,
    )
    .get();
  if (computed !== undefined) throw new Error(`its table ${computed.name} is computed`);
}

/** Undefined if there is nothing to inspect, including for an impossible path. */
export function statIfAny(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
