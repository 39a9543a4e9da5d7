import { type Database, fileFault, type Statement } from './database/driver.ts';

/** Guards the files of a database in use. */
export interface FileGuard {
  /** Called before a write. */
  before(): void;
  /** Called after a write. True if the database was replaced by one that lacks it, so it must be repeated. */
  after(): boolean;
  /** A statement failed on damaged files. True if the database was replaced, so the statement must be repeated. */
  failed(error: unknown): boolean;
}

/** A database that can be replaced while it is in use. */
export interface GuardedDatabase extends Database {
  /** The current connection. */
  raw(): Database;
  replace(next: Database): void;
}

/** Statements keep working on the current database. */
export function guardDatabase(first: Database, guard: FileGuard): GuardedDatabase {
  let current = first;
  let inside = false;

  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (inside || fileFault(error) !== 'damaged' || !guard.failed(error)) throw error;
      return work();
    }
  };
  const writing = <T>(work: () => T): T => {
    if (inside) return work();
    guard.before();
    const result = attempt(work);
    return guard.after() ? attempt(work) : result;
  };

  return {
    driver: first.driver,
    raw: () => current,
    replace(next) {
      current = next;
    },
    exec: (sql) => writing(() => current.exec(sql)),
    prepare: (sql) => prepareOn(() => current, sql, attempt, writing),
    transaction: (work) =>
      writing(() => {
        inside = true;
        try {
          return current.transaction(work);
        } finally {
          inside = false;
        }
      }),
    close: () => current.close(),
  };
}

type Around = <T>(work: () => T) => T;

/** A statement that runs on the current database. */
function prepareOn(current: () => Database, sql: string, reading: Around, writing: Around): Statement {
  let of = current();
  let statement = reading(() => current().prepare(sql));
  const now = () => {
    if (of !== current()) {
      of = current();
      statement = of.prepare(sql);
    }
    return statement;
  };
  // A PRAGMA may write too.
  const asking = /^\s*(?:SELECT|WITH)\b/i.test(sql) ? reading : writing;
  return {
    run: (...parameters) => writing(() => now().run(...parameters)),
    get: (...parameters) => asking(() => now().get(...parameters)),
    all: (...parameters) => asking(() => now().all(...parameters)),
  };
}
