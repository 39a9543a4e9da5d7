import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLogSync } from './log-sync.ts';

let synced: { paths: string[]; done: (() => void)[] };
const files: Parameters<typeof startLogSync>[1] = {
  open(path, _, opened) {
    synced.paths.push(path);
    opened(null, 7);
  },
  fdatasync: (_, done) => synced.done.push(done),
  close: (_, closed) => closed(),
};

beforeEach(() => {
  vi.useFakeTimers();
  synced = { paths: [], done: [] };
});
afterEach(() => {
  vi.useRealTimers();
});

test('the log is brought to the disk once for all that was written, and again for what came meanwhile', () => {
  const log = startLogSync('/home/x/hookline.db', files);
  for (let at = 0; at < 100; at += 1) log.written();
  expect(synced.paths).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(synced.paths).toEqual(['/home/x/hookline.db-wal']);
  log.written();
  vi.advanceTimersByTime(1_000);
  // One at a time, however slow the disk is.
  expect(synced.paths).toHaveLength(1);
  synced.done.shift()?.();
  vi.advanceTimersByTime(50);
  expect(synced.paths).toHaveLength(2);
  synced.done.shift()?.();
  vi.advanceTimersByTime(1_000);
  expect(synced.paths).toHaveLength(2);
});

test('nothing is synced after it was stopped', () => {
  const log = startLogSync('/home/x/hookline.db', files);
  log.written();
  log.stop();
  vi.advanceTimersByTime(1_000);
  expect(synced.paths).toEqual([]);
});
