import { type Database, fileFault, type Statement } from './database/driver.ts';

/** Looks after the files of a database while it is used. */
export interface FileGuard {
  /** Before something is written. */
  before(): void;
  /** After something was written. True when the database was replaced by one without it: it is written again. */
  after(): boolean;
  /** A statement failed at damaged files. True when the database was replaced: the statement is tried again. */
  failed(error: unknown): boolean;
}

/** A database that can be replaced while it is in use. */
export interface GuardedDatabase extends Database {
  /** The connection that is in use now. */
  raw(): Database;
  replace(next: Database): void;
}

/** Statements go on to work on whatever database is in use. */
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

/** A statement of whatever database is in use when it runs. */
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
  // A PRAGMA may write as well.
  const asking = /^\s*(?:SELECT|WITH)\b/i.test(sql) ? reading : writing;
  return {
    run: (...parameters) => writing(() => now().run(...parameters)),
    get: (...parameters) => asking(() => now().get(...parameters)),
    all: (...parameters) => asking(() => now().all(...parameters)),
  };
}
