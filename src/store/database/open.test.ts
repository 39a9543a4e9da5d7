import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, prompt, scratchPath } from '../../../test/support/store/store.ts';
import { countEvents, findEvent, listEvents, listSessions } from '../read/queries.ts';
import { createRecorder } from '../record/recorder.ts';
import { type Database, openDatabase } from './driver.ts';
import { isUpToDate, migrate, readMigrations } from './migrate.ts';
import { closeStore, openStore } from './open.ts';
import { upgradeCopyPath } from './upgrade-copy.ts';

test('the writer creates the directory and a database that only its owner can read', () => {
  const path = join(dirname(scratchPath()), 'new', 'home', 'hookline.db');
  const db = opened(path);
  commit(db);
  for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o077).toBe(0);
});

test('reading a missing store returns nothing and creates nothing', () => {
  const path = scratchPath();
  const db = opened(path, true);
  expect(listEvents(db)).toEqual([]);
  expect(listSessions(db)).toEqual([]);
  expect(countEvents(db)).toBe(0);
  expect(findEvent(db, 'a')).toBeNull();
  expect(existsSync(path)).toBe(false);
});

test("a reader reads during writes and can't write", () => {
  const path = scratchPath();
  const writer = opened(path);
  commit(writer);
  const reader = opened(path, true);
  expect(countEvents(reader)).toBe(1);
  commit(writer);
  expect(countEvents(reader)).toBe(2);
  expect(() => reader.exec('DELETE FROM events')).toThrow(/readonly/);
});

test('a reader of a database without tables finds nothing, and the writer continues from there', () => {
  const path = scratchPath();
  writeFileSync(path, '');
  expect(countEvents(opened(path, true))).toBe(0);
  const writer = opened(path);
  commit(writer);
  expect(countEvents(writer)).toBe(1);
});

test('neither reads nor writes a database of a newer Hookline', () => {
  const path = scratchPath();
  const db = openStore(path);
  db.exec('PRAGMA user_version = 9999');
  db.close();
  for (const readonly of [true, false]) {
    expect(() => openStore(path, { readonly })).toThrow(expect.objectContaining({ code: 'STORE_NEWER' }));
  }
});

test('an upgrade keeps the old database, and a rename restores it', () => {
  const path = scratchPath();
  const older = readMigrations().slice(0, -1);
  const version = older.at(-1)?.version ?? 0;
  const before = openDatabase(path);
  migrate(before, older);
  before.close();
  const after = openStore(path);
  expect(isUpToDate(after, readMigrations())).toBe(true);
  closeStore(after);
  const copy = upgradeCopyPath(path, version);
  expect(statSync(copy).mode & 0o077).toBe(0);

  renameSync(copy, path);
  const back = openDatabase(path);
  onTestFinished(() => back.close());
  expect(isUpToDate(back, older)).toBe(true);
});

test('closing leaves everything in one file', () => {
  const path = scratchPath();
  const db = openStore(path);
  commit(db);
  closeStore(db);
  // libsql 0.5.29 releases the empty log only when its statements are garbage-collected.
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  expect(countEvents(opened(path, true))).toBe(1);
});

function opened(path: string, readonly = false): Database {
  const db = openStore(path, { readonly });
  onTestFinished(() => db.close());
  return db;
}

function commit(db: Database): void {
  const recorder = createRecorder(db, { redact: (text) => text });
  recorder.commit(call(recorder.place(prompt())));
}
