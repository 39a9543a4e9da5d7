import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { type Database, openDatabase } from '../../store/database/driver.ts';
import { isDatabase, withClientDatabase } from './client-database.ts';

function databaseWith(sql: string): { readonly path: string; readonly db: Database } {
  const path = join(scratchFolder(), 'client.db');
  const db = openDatabase(path);
  onTestFinished(() => db.close());
  db.exec(sql);
  return { path, db };
}

const count = (path: string) => withClientDatabase(path, (query) => query('SELECT count(*) AS n FROM part'));

test('reads a database that another process has open', () => {
  const { path } = databaseWith('CREATE TABLE part (id); INSERT INTO part VALUES (1), (2)');
  expect(isDatabase(path)).toBe(true);
  expect(count(path)).toMatchObject([{ n: 2 }]);
});

describe("doesn't let SQLite open what isn't a database:", () => {
  test('a text, a directory, a missing file', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'text'), 'SQLite format 2 and more of it');
    mkdirSync(join(folder, 'directory'));
    for (const name of ['text', 'directory', 'nothing', 'a\0b'])
      expect(isDatabase(join(folder, name)), name).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('a pipe, also in place of its log', () => {
    const { path } = databaseWith('PRAGMA journal_mode = DELETE; CREATE TABLE part (id)');
    execFileSync('mkfifo', [`${path}-wal`, `${path}.pipe`]);
    expect(isDatabase(path)).toBe(false);
    expect(isDatabase(`${path}.pipe`)).toBe(false);
  });

  // The system reports it as a regular file, but reading it waits for the next message of the kernel.
  test.runIf(process.platform === 'linux')('a kernel file', () => {
    expect(isDatabase('/proc/kmsg')).toBe(false);
    expect(isDatabase('/proc/self/mem')).toBe(false);
  });
});

test("doesn't wait for a database locked by another process", () => {
  const { path, db } = databaseWith('PRAGMA journal_mode = DELETE; CREATE TABLE part (id); BEGIN EXCLUSIVE');
  expect(() => count(path)).toThrow(/locked/);
  db.exec('COMMIT');
  expect(count(path)).toMatchObject([{ n: 0 }]);
});

test.each([
  [
    'a view without end',
    `CREATE VIEW part AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) SELECT id FROM c`,
  ],
  ['a computed column', 'CREATE TABLE part (id, data GENERATED ALWAYS AS (hex(zeroblob(500000000))))'],
  ['a virtual table', 'CREATE VIRTUAL TABLE part USING fts5(id)'],
])("doesn't query %s in place of a table", (_, sql) => {
  expect(() => count(databaseWith(sql).path)).toThrow(/is computed/);
});
