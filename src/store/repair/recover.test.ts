import { readFileSync, rmSync, statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import {
  crashed,
  openRecording,
  overwrite,
  type Recording,
  TEST_SIGNER,
} from '../../../test/support/store/guarded.ts';
import { scratchPath } from '../../../test/support/store/store.ts';
import { forget } from '../forget.ts';
import { recoverFrom } from './recover.ts';
import { listSetAside } from './set-aside.ts';

function recording(path = scratchPath()): Recording {
  const opened = openRecording(path);
  onTestFinished(() => opened.store.close());
  return opened;
}

/** Recovers everything set aside. */
const recover = ({ path, store }: Recording) =>
  listSetAside(path).map((aside) => recoverFrom(aside, store.db, TEST_SIGNER));

function flip(path: string, at: number, count: number): void {
  const bytes = readFileSync(path);
  overwrite(
    path,
    bytes.subarray(at, at + count).map((byte) => byte ^ 0xff),
    at,
  );
}

test('records behind damage in the log return to their place, once', () => {
  const { path, record } = recording();
  const ids = record(200);
  const left = crashed(path);
  flip(`${left}-wal`, Math.floor(statSync(`${left}-wal`).size / 2), 64);
  const opened = recording(left);
  const before = opened.ids().length;
  const [next = ''] = opened.record(1);
  const [result] = recover(opened);
  expect(result?.recovered).toBe(200 - before);
  expect(opened.ids()).toEqual([...ids, next]);
  expect(opened.problems()).toEqual([]);
  const [again] = recover(opened);
  expect(again).toEqual({ recovered: 0, again: 0, known: 200, damaged: 0, foreign: 0 });
  expect(opened.ids()).toHaveLength(201);
  const later = opened.record(1);
  expect(opened.ids().slice(-1)).toEqual(later);
});

test('a damaged record stays out and leaves a gap; all others are recovered', () => {
  const { path, record, store } = recording();
  const ids = record(150);
  store.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  const left = crashed(path);
  // Inside the text of one record, so SQLite doesn't notice.
  flip(left, readFileSync(left).lastIndexOf(`folder-70"`), 3);
  rmSync(`${left.replace(/hookline\.db$/, '')}chain-head`);
  const opened = recording(scratchPath());
  const damagedId = ids[70] ?? '';
  const result = recoverFrom(left, opened.store.db, TEST_SIGNER);
  expect(result).toMatchObject({ recovered: 0, foreign: 149, damaged: 1 });
  expect(opened.ids()).not.toContain(damagedId);
});

test('a database damaged in the middle yields all other records', () => {
  const { path, record, store } = recording();
  const ids = record(300, `ls ${'folder '.repeat(60)}`);
  store.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  const left = crashed(path);
  const middle = Math.floor(statSync(left).size / 4096 / 2) * 4096;
  overwrite(left, Buffer.alloc(4096, 'x'), middle);
  // Like a start that finds it unusable.
  overwrite(left, Buffer.from('x'), 0);
  const opened = recording(left);
  expect(opened.told.map(({ code }) => code)).toEqual(['history-damaged']);
  const [next = ''] = opened.record(1);
  const [aside = ''] = listSetAside(left);
  overwrite(aside, Buffer.from('S'), 0);
  const [result] = recover(opened);
  expect(result?.recovered).toBeGreaterThan(250);
  const kept = opened.ids();
  expect(kept.at(-1 - (result?.again ?? 0))).toBe(next);
  expect(new Set(kept).size).toBe(kept.length);
  expect([...ids, next].filter((id) => !kept.includes(id)).length).toBeLessThan(20);
  expect(opened.problems()).toEqual([]);
});

test("deleted records don't come back", () => {
  const { path, record } = recording();
  record(100);
  const left = crashed(path);
  flip(`${left}-wal`, Math.floor(statSync(`${left}-wal`).size / 2), 64);
  const opened = recording(left);
  forget(opened.store.db, { session: 's1' }, TEST_SIGNER);
  const kept = opened.ids().length;
  const before = opened.store.db
    .prepare("SELECT sum(last_link - first_link + 1) AS n FROM chain_gaps WHERE reason = 'lost'")
    .get();
  const [result] = recover(opened);
  expect(kept).toBe(0);
  expect(result?.recovered).toBe(before?.n);
  expect(opened.problems()).toEqual([]);
});

test('leaves the history of another machine alone', () => {
  const other = recording();
  other.record(30);
  const left = crashed(other.path);
  const opened = recording();
  const ids = opened.record(5);
  expect(recoverFrom(left, opened.store.db, TEST_SIGNER)).toMatchObject({ recovered: 0, foreign: 30 });
  expect(opened.ids()).toEqual(ids);
});
