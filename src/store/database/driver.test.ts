import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scratchPath } from '../../../test/support/store/store.ts';
import { HooklineError } from '../../model/errors.ts';
import {
  type Database,
  type DriverName,
  isUniqueViolation,
  type OpenOptions,
  openDatabase,
} from './driver.ts';

const DRIVERS: readonly DriverName[] = ['node', 'libsql'];
const HOW_TO_ENABLE: Readonly<Record<DriverName, string>> = {
  node: `run this suite with Node 22.16 or newer; this is ${process.versions.node}`,
  libsql: 'install the optional dependency libsql',
};

// Installed before the first driver is loaded, which is when Node would warn.
const warnings: string[] = [];
process.on('warning', (warning) => warnings.push(warning.message));

const here: readonly DriverName[] = DRIVERS.filter(isHere);

test('chooses the best available driver', () => {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  expect(db.driver).toBe(here[0]);
});

test("loading a driver prints no warning, because agents read a hook's stderr", async () => {
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

for (const driver of DRIVERS) {
  if (here.includes(driver)) describe(`driver ${driver}`, () => contract(driver));
  else describe.skip(`driver ${driver} is NOT TESTED here: ${HOW_TO_ENABLE[driver]}`, () => contract(driver));
}

/** Behavior that all drivers share. */
function contract(driver: DriverName): void {
  const open = (path = scratchPath(), options: OpenOptions = {}): Database => {
    const db = openDatabase(path, { ...options, driver });
    onTestFinished(() => db.close());
    return db;
  };

  test.each([
    ['null', null],
    ['an integer', 42],
    ['a negative integer', -7],
    ['an integer beyond 32 bits', 2 ** 52],
    ['a fraction', 1.25],
    ['text', 'grüße 🪝'],
    ['empty text', ''],
    ['long text', 'x'.repeat(300_000)],
  ])('returns %s unchanged', (_, value) => {
    const db = open();
    db.exec('CREATE TABLE t (v)');
    db.prepare('INSERT INTO t VALUES (?)').run(value);
    expect({ ...db.prepare('SELECT v FROM t').get() }).toEqual({ v: value });
  });

  test('returns bytes, also from a typed array view', () => {
    const db = open();
    const bytes = new Uint8Array([9, 0, 255, 1, 9]).subarray(1, 4);
    const row = db.prepare('SELECT ? AS v').get(bytes);
    expect(row?.v).toBeInstanceOf(Uint8Array);
    expect([...new Uint8Array(row?.v instanceof Uint8Array ? row.v : [])]).toEqual([0, 255, 1]);
  });

  test('accepts a bigint and returns integers as numbers', () => {
    const db = open();
    db.exec('CREATE TABLE t (v INTEGER) STRICT');
    db.prepare('INSERT INTO t VALUES (?)').run(12n);
    expect(db.prepare('SELECT v FROM t').get()?.v).toBe(12);
  });

  test('stores a whole number as an integer in an integer column', () => {
    const db = open();
    db.exec('CREATE TABLE t (v INTEGER) STRICT');
    db.prepare('INSERT INTO t VALUES (?)').run(1_700_000_000_000);
    expect({ ...db.prepare('SELECT v, typeof(v) AS type FROM t').get() }).toEqual({
      v: 1_700_000_000_000,
      type: 'integer',
    });
  });

  test('binds parameters by position, including a single null', () => {
    const db = open();
    expect({ ...db.prepare('SELECT ? AS a, ? AS b, ? AS c').get(1, null, 'x') }).toEqual({
      a: 1,
      b: null,
      c: 'x',
    });
    expect({ ...db.prepare('SELECT ? AS a').get(null) }).toEqual({ a: null });
  });

  test.each([true, undefined, {}])('throws on %s, which is not a SQL value', (value) => {
    const db = open();
    const statement = db.prepare('SELECT ? AS a, ? AS b');
    expect(() => Reflect.apply(statement.get, statement, [1, value])).toThrow();
    expect({ ...statement.get(1, 2) }).toEqual({ a: 1, b: 2 });
  });

  test('get returns undefined and all returns [] without rows', () => {
    const db = open();
    db.exec('CREATE TABLE t (v)');
    expect(db.prepare('SELECT v FROM t').get()).toBeUndefined();
    expect(db.prepare('SELECT v FROM t').all()).toEqual([]);
  });

  test('all returns every row in order, beyond one batch', () => {
    const db = open();
    db.exec('CREATE TABLE t (v INTEGER)');
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    db.transaction(() => {
      for (let i = 0; i < 250; i++) insert.run(i);
    });
    const rows = db.prepare('SELECT v FROM t ORDER BY v').all();
    expect(rows.map((row) => row.v)).toEqual(Array.from({ length: 250 }, (_, i) => i));
  });

  test('run returns the number of changes and the new row ID', () => {
    const db = open();
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE)');
    const insert = db.prepare('INSERT INTO t (v) VALUES (?) ON CONFLICT (v) DO NOTHING');
    expect(insert.run('a')).toEqual({ changes: 1, lastInsertRowid: 1 });
    expect(insert.run('b')).toEqual({ changes: 1, lastInsertRowid: 2 });
    expect(insert.run('b').changes).toBe(0);
    expect(db.prepare('DELETE FROM t').run().changes).toBe(2);
  });

  test('distinguishes a unique violation, and the statement stays usable', () => {
    const db = open();
    db.exec('CREATE TABLE t (id TEXT PRIMARY KEY, v TEXT UNIQUE, w TEXT NOT NULL)');
    const insert = db.prepare('INSERT INTO t VALUES (?, ?, ?)');
    insert.run('1', 'a', 'w');
    expect(isUniqueViolation(errorOf(() => insert.run('2', 'a', 'w')))).toBe(true);
    expect(isUniqueViolation(errorOf(() => insert.run('1', 'b', 'w')))).toBe(true);
    expect(isUniqueViolation(errorOf(() => insert.run('3', 'c', null)))).toBe(false);
    expect(isUniqueViolation(errorOf(() => db.exec('NOT SQL')))).toBe(false);
    expect(insert.run('4', 'd', 'w').changes).toBe(1);
  });

  test('a transaction commits everything and returns, or throws and commits nothing', () => {
    const db = open();
    db.exec('CREATE TABLE t (v)');
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    const count = db.prepare('SELECT count(*) AS n FROM t');
    expect(db.transaction(() => insert.run(1).changes)).toBe(1);
    const failure = new Error('no');
    expect(
      errorOf(() =>
        db.transaction(() => {
          insert.run(2);
          throw failure;
        }),
      ),
    ).toBe(failure);
    expect(count.get()?.n).toBe(1);
    db.transaction(() => insert.run(3));
    expect(count.get()?.n).toBe(2);
  });

  test('reports the first error after SQLite rolled back by itself', () => {
    const db = open();
    db.exec('CREATE TABLE t (v TEXT UNIQUE)');
    const insert = db.prepare('INSERT OR ROLLBACK INTO t VALUES (?)');
    insert.run('a');
    expect(isUniqueViolation(errorOf(() => db.transaction(() => insert.run('a'))))).toBe(true);
  });

  test('is in WAL mode with NORMAL syncing and a busy timeout', () => {
    const db = open();
    expect(db.prepare('PRAGMA journal_mode').get()?.journal_mode).toBe('wal');
    expect(db.prepare('PRAGMA synchronous').get()?.synchronous).toBe(1);
    expect(db.prepare('PRAGMA busy_timeout').get()?.timeout).toBe(5000);
  });

  test('two connections see only what the other one committed', () => {
    const path = scratchPath();
    const one = open(path);
    one.exec('CREATE TABLE t (v)');
    const two = open(path);
    const count = two.prepare('SELECT count(*) AS n FROM t');
    const peek = two.prepare('SELECT v FROM t');
    one.transaction(() => {
      one.prepare('INSERT INTO t VALUES (1), (2)').run();
      expect(count.get()?.n).toBe(0);
    });
    expect(count.get()?.n).toBe(2);
    // A statement that read only its first row must not keep its snapshot.
    expect(peek.get()?.v).toBe(1);
    one.exec('DELETE FROM t WHERE v = 1');
    expect(count.get()?.n).toBe(1);
    two.exec('INSERT INTO t VALUES (3)');
    expect(one.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(2);
  });

  test('rejects a second writer while the first holds the lock', () => {
    const path = scratchPath();
    const one = open(path);
    one.exec('CREATE TABLE t (v)');
    const two = open(path);
    two.exec('PRAGMA busy_timeout = 1');
    one.transaction(() => {
      expect(() => two.transaction(() => 0)).toThrow(/locked/);
    });
    expect(two.transaction(() => 'free')).toBe('free');
  });

  test("readonly reads next to a writer and can't write", () => {
    const path = `${scratchPath()} 100% #1?.db`;
    const writer = open(path);
    writer.exec('CREATE TABLE t (v); INSERT INTO t VALUES (1)');
    const reader = open(path, { readonly: true });
    expect(reader.prepare('SELECT v FROM t').get()?.v).toBe(1);
    expect(() => reader.exec('INSERT INTO t VALUES (2)')).toThrow(/readonly/);
    writer.exec('INSERT INTO t VALUES (2)');
    expect(reader.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(2);
  });

  test('readonly does not create a database', () => {
    const path = scratchPath();
    expect(() => openDatabase(path, { readonly: true, driver })).toThrow();
    expect(existsSync(path)).toBe(false);
  });

  test('has full-text search and JSON', () => {
    const db = open();
    db.exec('CREATE VIRTUAL TABLE words USING fts5(text)');
    db.prepare('INSERT INTO words VALUES (?)').run('deny wins in any order');
    expect(db.prepare('SELECT text FROM words WHERE words MATCH ?').all('wins')).toHaveLength(1);
    expect(db.prepare(`SELECT json_extract('{"a":{"b":2}}', '$.a.b') AS v`).get()?.v).toBe(2);
  });
}

function isHere(driver: DriverName): boolean {
  try {
    openDatabase(':memory:', { driver }).close();
    return true;
  } catch (error) {
    if (error instanceof HooklineError && error.code === 'STORE_DRIVER') return false;
    throw error;
  }
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
