import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { type Database, openDatabase } from './driver.ts';
import { isUpToDate, migrate, readMigrations } from './migrate.ts';

const first = { version: 1, sql: 'CREATE TABLE a (v)' };
const second = { version: 2, sql: 'CREATE TABLE b (v); INSERT INTO b SELECT v FROM a' };
const broken = { version: 2, sql: 'CREATE TABLE b (v); NOT SQL' };

test('files of a directory are versions, in order; other files are ignored', () => {
  const folder = scratchFolder();
  for (const name of ['0010-later.sql', '0002-early.sql', 'README.md']) {
    writeFileSync(join(folder, name), `-- ${name}`);
  }
  expect(readMigrations(pathToFileURL(`${folder}/`))).toEqual([
    { version: 2, sql: '-- 0002-early.sql' },
    { version: 10, sql: '-- 0010-later.sql' },
  ]);
});

test('our own migrations have distinct versions and apply to a new database', () => {
  const migrations = readMigrations();
  expect(new Set(migrations.map(({ version }) => version)).size).toBe(migrations.length);
  const db = memory();
  migrate(db);
  expect(isUpToDate(db, migrations)).toBe(true);
  expect(tables(db)).toEqual(expect.arrayContaining(['events', 'sessions', 'waiting_context']));
});

test('each of our own migrations changes a table, so that the tables show the version', () => {
  const schemas = readMigrations().map((_, at, all) => {
    const db = memory();
    migrate(db, all.slice(0, at + 1));
    return JSON.stringify(db.prepare("SELECT sql FROM sqlite_master WHERE type = 'table'").all());
  });
  expect(new Set(schemas).size).toBe(schemas.length);
});

test('applies only missing migrations, and a second run changes nothing', () => {
  const db = memory();
  migrate(db, [first]);
  db.exec('INSERT INTO a VALUES (7)');
  migrate(db, [first, second]);
  migrate(db, [first, second]);
  expect(
    db
      .prepare('SELECT v FROM b')
      .all()
      .map((row) => row.v),
  ).toEqual([7]);
});

test('a failed migration leaves the database unchanged', () => {
  const db = memory();
  expect(() => migrate(db, [first, broken])).toThrow(/syntax/);
  expect(tables(db)).toEqual([]);
  expect(isUpToDate(db, [])).toBe(true);
});

test('leaves a database of a newer Hookline alone', () => {
  const db = memory();
  migrate(db, [first, second]);
  expect(() => migrate(db, [first])).toThrow(expect.objectContaining({ code: 'STORE_NEWER' }));
  expect(tables(db)).toEqual(['a', 'b']);
});

function memory(): Database {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  return db;
}

function tables(db: Database): unknown[] {
  const rows = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  return rows.map((row) => row.name);
}
