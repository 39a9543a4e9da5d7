import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const synced = vi.hoisted(() => ({ paths: [] as string[], done: [] as (() => void)[] }));
vi.mock('node:fs', () => ({
  open: (path: string, _: string, opened: (failed: Error | null, file: number) => void) => {
    synced.paths.push(path);
    opened(null, 7);
  },
  fdatasync: (_: number, done: () => void) => synced.done.push(done),
  close: (_: number, closed: () => void) => closed(),
}));
const { startLogSync } = await import('./log-sync.ts');

beforeEach(() => {
  vi.useFakeTimers();
  synced.paths = [];
  synced.done = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test('the log is brought to the disk once for all that was written, and again for what came meanwhile', () => {
  const log = startLogSync('/home/x/hookline.db');
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
  const log = startLogSync('/home/x/hookline.db');
  log.written();
  log.stop();
  vi.advanceTimersByTime(1_000);
  expect(synced.paths).toEqual([]);
});
