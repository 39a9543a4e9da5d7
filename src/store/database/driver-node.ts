import type { Database, Row, SqlValue } from './driver.ts';
import { transactionOf } from './transaction.ts';

// Declared here because the types of Node 20 lack node:sqlite.
interface NodeStatement {
  run(...parameters: readonly SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...parameters: readonly SqlValue[]): Row | undefined;
  all(...parameters: readonly SqlValue[]): Row[];
}

interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readOnly: boolean }) => NodeDatabase;
}

/** The SQLite built into Node; null if there is none. */
export function openNodeSqlite(path: string, readonly: boolean): Database | null {
  const sqlite = loadNodeSqlite();
  if (sqlite === null) return null;
  const db = new sqlite.DatabaseSync(path, { readOnly: readonly });
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    return {
      run: (...parameters: readonly SqlValue[]) => {
        const { changes, lastInsertRowid } = statement.run(...parameters);
        return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
      },
      get: (...parameters: readonly SqlValue[]) => statement.get(...parameters),
      all: (...parameters: readonly SqlValue[]) => statement.all(...parameters),
    };
  };
  return {
    driver: 'node',
    exec: (sql) => db.exec(sql),
    prepare,
    transaction: transactionOf(prepare),
    close: () => db.close(),
  };
}

let known: NodeSqlite | null | undefined;

/** Present since Node 22.13, but without full-text search before 22.16. */
function loadNodeSqlite(): NodeSqlite | null {
  if (known !== undefined) return known;
  const loaded = withoutItsWarning(() => process.getBuiltinModule('node:sqlite'));
  known = loaded !== undefined && isNodeSqlite(loaded) && hasFullTextSearch(loaded) ? loaded : null;
  return known;
}

function hasFullTextSearch({ DatabaseSync }: NodeSqlite): boolean {
  const db = new DatabaseSync(':memory:', { readOnly: false });
  try {
    return db.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined;
  } finally {
    db.close();
  }
}

function isNodeSqlite(loaded: object): loaded is NodeSqlite {
  return 'DatabaseSync' in loaded && typeof loaded.DatabaseSync === 'function';
}

/** Node 22 and 24 print a warning to stderr when the module is loaded, and agents read a hook's stderr. */
function withoutItsWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).includes('SQLite is an experimental feature')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
