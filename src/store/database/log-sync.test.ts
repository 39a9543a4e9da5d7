import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLogSync } from './log-sync.ts';

let synced: { paths: string[]; files: number[]; closed: number[]; done: (() => void)[] };
const files: Parameters<typeof startLogSync>[1] = {
  open(path, _, opened) {
    opened(null, synced.paths.push(path));
  },
  fdatasync: (file, done) => {
    synced.files.push(file);
    synced.done.push(done);
  },
  close: (file, closed) => {
    synced.closed.push(file);
    closed();
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  synced = { paths: [], files: [], closed: [], done: [] };
});
afterEach(() => {
  vi.useRealTimers();
});

test('syncs the log once for all writes so far, and again for later ones', () => {
  const log = startLogSync('/home/x/hookline.db', files);
  for (let at = 0; at < 100; at += 1) log.written(1);
  expect(synced.paths).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(synced.paths).toEqual(['/home/x/hookline.db-wal']);
  log.written(1);
  vi.advanceTimersByTime(1_000);
  // One at a time, however slow the disk is.
  expect(synced.files).toEqual([1]);
  synced.done.shift()?.();
  vi.advanceTimersByTime(50);
  expect(synced.files).toEqual([1, 1]);
  synced.done.shift()?.();
  vi.advanceTimersByTime(1_000);
  expect(synced.files).toEqual([1, 1]);
});

test('reopens the log of a replaced database', () => {
  const log = startLogSync('/home/x/hookline.db', files);
  for (const generation of [1, 2]) {
    log.written(generation);
    vi.advanceTimersByTime(50);
    synced.done.shift()?.();
  }
  expect(synced.files).toEqual([1, 2]);
  expect(synced.closed).toEqual([1]);
});

test('closes the log when stopped, also during a sync', () => {
  for (const isSynced of [true, false]) {
    const log = startLogSync('/home/x/hookline.db', files);
    log.written(1);
    vi.advanceTimersByTime(50);
    const [done] = synced.done.splice(0);
    if (isSynced) done?.();
    log.stop();
    if (!isSynced) done?.();
    expect(synced.closed).toEqual(synced.paths.map((_, at) => at + 1));
  }
});

test('syncs nothing after it was stopped', () => {
  const log = startLogSync('/home/x/hookline.db', files);
  log.written(1);
  log.stop();
  vi.advanceTimersByTime(1_000);
  expect(synced.paths).toEqual([]);
});
