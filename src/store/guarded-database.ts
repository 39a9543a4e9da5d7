import { type Database, fileFault } from './driver.ts';

/** Looks after the files of a database while it is used. */
export interface FileGuard {
  /** Before something is written. */
  before(): void;
  /** After something was written. True when the database was replaced by one without it: it is written again. */
  after(): boolean;
  /** A statement failed at damaged files. True when the database was replaced: the statement is tried again. */
  failed(error: unknown): boolean;
}

/** A database that can be replaced by another one under everybody who uses it. */
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
    prepare(sql) {
      let of = current;
      let statement = attempt(() => current.prepare(sql));
      const now = () => {
        if (of !== current) {
          of = current;
          statement = current.prepare(sql);
        }
        return statement;
      };
      // A PRAGMA may write as well.
      const using = /^\s*(?:SELECT|WITH)\b/i.test(sql) ? attempt : writing;
      return {
        run: (...parameters) => writing(() => now().run(...parameters)),
        get: (...parameters) => using(() => now().get(...parameters)),
        all: (...parameters) => using(() => now().all(...parameters)),
      };
    },
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
