import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { crashed, openRecording, overwrite, type Recording } from '../../test/support/store/guarded.ts';
import { scratchPath } from '../../test/support/store/store.ts';
import { readChainHead } from './chain/head.ts';
import { openDatabase } from './database/driver.ts';
import { versionOf } from './database/migrate.ts';
import { openStore } from './database/open.ts';
import { listSetAside } from './repair/set-aside.ts';

function recording(path = scratchPath()): Recording {
  const opened = openRecording(path);
  onTestFinished(() => opened.store.close());
  return opened;
}

const GARBAGE = Buffer.alloc(8192, 'garbage ');

/** Mishaps to the files of a running process. */
const MISHAPS: readonly (readonly [string, (path: string) => void])[] = [
  ['the database is deleted', (path) => rmSync(path)],
  ['the log is deleted', (path) => rmSync(`${path}-wal`)],
  ['both are deleted', (path) => deleteAll(path)],
  ['the database is moved away', (path) => renameSync(path, `${path}.elsewhere`)],
  ['the database is replaced by another file', (path) => replaceFile(path)],
  ['the database is overwritten', (path) => overwrite(path, GARBAGE, 0)],
  ['the database is emptied', (path) => truncateSync(path)],
  ['the log is overwritten', (path) => overwrite(`${path}-wal`, GARBAGE, 0)],
  ['the log is emptied', (path) => truncateSync(`${path}-wal`)],
  ['64 bytes of the log are flipped', (path) => flip(`${path}-wal`, 64)],
];

function deleteAll(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`);
}

function replaceFile(path: string): void {
  writeFileSync(`${path}.other`, GARBAGE);
  renameSync(`${path}.other`, path);
}

function flip(path: string, count: number): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  overwrite(
    path,
    bytes.subarray(at, at + count).map((byte) => byte ^ 0xff),
    at,
  );
}

describe.each(MISHAPS)('%s while a process records', (_, happen) => {
  test('is noticed on the next call, and nothing acknowledged is lost', () => {
    const { path, record, ids, told, problems } = recording();
    const before = record(60);
    happen(path);
    const after = record(3);
    expect(told).toHaveLength(1);
    expect(ids()).toEqual([...before, ...after]);
    expect(problems()).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    record(1);
    expect(told).toHaveLength(1);
  });

  test('is noticed without a call, and the disk then has everything', () => {
    const { path, record, store, told } = recording();
    const before = record(60);
    happen(path);
    store.look();
    expect(told).toHaveLength(1);
    const later = recording(crashed(path));
    expect(later.ids()).toEqual(before);
    expect(later.told).toEqual([]);
  });

  test('keeps the sessions', () => {
    const { path, record, recorder, store } = recording();
    record(20);
    happen(path);
    record(1);
    const rows = store.db.prepare('SELECT sequence FROM events ORDER BY row').all();
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
    expect(store.db.prepare('SELECT sequence FROM sessions').all()).toHaveLength(1);
    recorder.close();
  });
});

test('if more than the newest records are lost, records a signed gap and sets the file aside', () => {
  const { path, record, ids, told, problems, store } = recording();
  const many = record(1_500, `ls ${'folder '.repeat(200)}`);
  store.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  overwrite(path, Buffer.alloc(statSync(path).size, 'x'), 0);
  const [next] = record(1);
  const kept = ids();
  expect(kept.length).toBeGreaterThan(500);
  expect([...many, next].slice(-kept.length)).toEqual(kept);
  expect(told).toEqual([
    expect.objectContaining({ code: 'history-damaged', fix: expect.stringContaining('history recover') }),
  ]);
  expect(listSetAside(path)).toHaveLength(1);
  expect(problems()).toEqual([]);
});

test('touching a file is not reported as damage', () => {
  const { path, record, ids, told } = recording();
  const before = record(5);
  utimesSync(path, new Date(), new Date());
  utimesSync(`${path}-wal`, new Date(), new Date());
  expect([...before, ...record(1)]).toEqual(ids());
  expect(told).toEqual([]);
  expect(listSetAside(path)).toEqual([]);
});

test('reports another program that writes through SQLite, and what it changed', () => {
  const { path, record, told } = recording();
  record(5);
  const other = openStore(path);
  other.exec("INSERT INTO waiting_context (source, session_id, text) VALUES ('claude', 's2', 'later')");
  record(1);
  expect(told.map(({ code }) => code)).toEqual(['history-changed']);
  other.exec("UPDATE events SET decision = 'allow' WHERE row = 2");
  other.close();
  record(1);
  expect(told.map(({ code }) => code)).toEqual(['history-changed', 'history-damaged']);
});

/** The call would get an answer, with no sign that it wasn't recorded. */
const IGNORING = 'CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END';

test('removes a trigger that blocks recording before the next call', () => {
  const { path, record, ids, told, problems } = recording();
  const before = record(5);
  const other = openStore(path);
  other.exec(IGNORING);
  other.close();
  const after = record(2);
  expect(ids()).toEqual([...before, ...after]);
  expect(problems()).toEqual([]);
  expect(told[0]).toMatchObject({ code: 'history-changed', message: expect.stringContaining('trigger t') });
  expect(listSetAside(path)).toEqual([]);
});

test("detects a change even if the file's time is set back", () => {
  const first = openRecording(scratchPath());
  const before = first.record(5);
  first.store.close();
  const setBack = () => utimesSync(first.path, 1_700_000_000, 1_700_000_000);
  setBack();
  const { record, ids, told } = recording(first.path);
  overwrite(first.path, GARBAGE, 0);
  setBack();
  const after = record(1);
  expect(told).toHaveLength(1);
  expect(ids()).toEqual([...before, ...after]);
});

test('detects damage between two checks, after a touched file', () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const { path, record, ids, told, store } = recording();
  const before = record(5);
  utimesSync(path, new Date(), new Date());
  // A slow check isn't repeated at once.
  const now = vi
    .spyOn(performance, 'now')
    .mockReturnValueOnce(0)
    .mockReturnValueOnce(0)
    .mockReturnValue(1_000);
  store.look();
  overwrite(path, GARBAGE, 0);
  const after = record(1);
  expect(told).toEqual([]);
  now.mockReturnValue(60_000);
  store.look();
  expect(told).toHaveLength(1);
  expect(ids()).toEqual([...before, ...after]);
});

test("leaves a file that was set aside unchanged, and closing the old connection doesn't delete the new log", () => {
  const { path, record } = recording();
  record(50);
  const log = readFileSync(`${path}-wal`);
  flip(`${path}-wal`, 8);
  const flipped = readFileSync(`${path}-wal`);
  expect(flipped.equals(log)).toBe(false);
  record(1);
  const [aside = ''] = listSetAside(path);
  expect(readFileSync(`${aside}-wal`).equals(flipped)).toBe(true);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  expect(readdirSync(dirname(path)).filter((name) => name.includes('.new'))).toEqual([]);
});

test('corrects a version number that was changed while running', () => {
  const { store, path, told, record } = recording();
  record(2);
  const version = versionOf(store.db);
  const other = openDatabase(path);
  other.exec('PRAGMA user_version = 9999');
  other.close();
  record(1);
  expect(versionOf(store.db)).toBe(version);
  expect(told[0]).toMatchObject({ code: 'history-changed', message: expect.stringContaining('was 9999') });
});

describe('at the start', () => {
  /** Records calls, then leaves the files as a crash does. */
  const left = (count: number): { path: string; ids: readonly string[] } => {
    const { path, record, store } = recording();
    const ids = record(count / 2);
    store.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    const all = [...ids, ...record(count / 2)];
    return { path: crashed(path), ids: all };
  };

  test('notices a log with broken checksums, sets it aside, and records its lost end as a signed gap', () => {
    const { path, ids } = left(200);
    flip(`${path}-wal`, 64);
    const opened = recording(path);
    expect(opened.told.map(({ code }) => code)).toEqual(['history-missing']);
    const kept = opened.ids();
    expect(kept.length).toBeLessThan(200);
    expect(ids.slice(0, kept.length)).toEqual(kept);
    expect(listSetAside(path)).toHaveLength(1);
    opened.record(1);
    expect(opened.problems()).toEqual([]);
  });

  test.each<readonly [string, (path: string) => void]>([
    ['overwritten', (path) => overwrite(path, GARBAGE, 0)],
    ['cut off', (path) => truncateSync(path, 5_000)],
    ['not a database at all', (path) => writeFileSync(path, 'notes\n'.repeat(500))],
  ])('sets aside a database that is %s and continues recording', (_, happen) => {
    const { path } = left(200);
    rmSync(`${path}-wal`);
    happen(path);
    const opened = recording(path);
    expect(opened.told.map(({ code }) => code)).toEqual(['history-damaged']);
    const next = opened.record(2);
    expect(opened.ids()).toEqual(next);
    expect(opened.problems()).toEqual([]);
    expect(listSetAside(path)).toHaveLength(1);
  });

  test('reports a deleted database', () => {
    const { path } = left(20);
    for (const suffix of ['', '-wal']) rmSync(`${path}${suffix}`);
    const opened = recording(path);
    expect(opened.told).toEqual([
      expect.objectContaining({ code: 'history-damaged', message: expect.stringContaining('20 records') }),
    ]);
  });

  test('restores an older copy, and records the missing events as a signed gap', () => {
    const { path, record, store } = recording();
    record(10);
    store.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    const old = readFileSync(path);
    record(5);
    const later = crashed(path);
    rmSync(`${later}-wal`);
    writeFileSync(later, old);
    const opened = recording(later);
    expect(opened.told.map(({ code }) => code)).toEqual(['history-missing']);
    expect(opened.ids()).toHaveLength(10);
    opened.record(1);
    expect(opened.problems()).toEqual([]);
  });

  test('removes a trigger that blocks recording', () => {
    const { path, ids } = left(20);
    const other = openStore(path);
    other.exec(IGNORING);
    other.close();
    const opened = recording(path);
    expect(opened.told.map(({ code }) => code)).toEqual(['history-changed']);
    expect([...ids, ...opened.record(1)]).toEqual(opened.ids());
  });

  const withVersion = (path: string, version: number, sql = '') => {
    const other = openDatabase(path);
    other.exec(`PRAGMA user_version = ${version}; ${sql}`);
    other.close();
  };

  test.each([9999, -5, 0, 1, 5])('corrects a version changed to %s', (version) => {
    const { path, ids } = left(20);
    withVersion(path, version);
    const opened = recording(path);
    expect(opened.told).toEqual([
      expect.objectContaining({
        code: 'history-changed',
        message: expect.stringContaining(`The version of the database was ${version} instead of`),
      }),
    ]);
    expect([...ids, ...opened.record(1)]).toEqual(opened.ids());
    expect(readdirSync(dirname(path)).filter((name) => name.includes('.version-'))).toEqual([]);
  });

  test('leaves a database of a newer Hookline alone', () => {
    const { path } = left(20);
    withVersion(path, 9999, 'CREATE TABLE of_the_future (v)');
    expect(() => openRecording(path)).toThrow(expect.objectContaining({ code: 'STORE_NEWER' }));
    expect(listSetAside(path)).toEqual([]);
  });

  test('moves a database aside if no migration can upgrade it', () => {
    const { path } = left(20);
    withVersion(path, 1, 'DROP TABLE sessions');
    const opened = recording(path);
    expect(opened.told.map(({ code }) => code)).toEqual(['history-damaged']);
    expect(listSetAside(path)).toHaveLength(1);
    expect(opened.record(1)).toEqual(opened.ids());
  });

  test('an altered table counts as damage', () => {
    const { path } = left(20);
    const other = openStore(path);
    other.exec('ALTER TABLE events RENAME COLUMN decision TO decisiom');
    other.close();
    const opened = recording(path);
    expect(opened.told.map(({ code }) => code)).toEqual(['history-damaged']);
    expect(opened.record(1)).toEqual(opened.ids());
  });

  test('a directory in place of the noted head does not block recording', () => {
    const { path, ids } = left(20);
    const head = join(dirname(path), 'chain-head');
    rmSync(head);
    mkdirSync(head);
    expect(readChainHead(head)).toBeNull();
    const opened = recording(path);
    expect([...ids, ...opened.record(1)]).toEqual(opened.ids());
    expect(readChainHead(head)?.link).toBe(21);
  });

  test('reports nothing if nothing happened', () => {
    const { path, ids } = left(70);
    const opened = recording(path);
    expect(opened.told).toEqual([]);
    expect(opened.ids()).toEqual(ids);
  });
});

test('a replacement database keeps the durability setting', () => {
  const { store, path, record } = recording();
  const FULL = 2;
  const synchronous = () => store.db.prepare('PRAGMA synchronous').get()?.synchronous;
  store.setDurability('power');
  expect(synchronous()).toBe(FULL);
  deleteAll(path);
  record(1);
  expect(listSetAside(path)).toHaveLength(0);
  expect(synchronous()).toBe(FULL);
});
