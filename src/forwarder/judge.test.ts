import { expect, test } from 'vitest';
import { SILENT_AT_FIRST_MS, START_WAIT_MS } from '../wire/limits.ts';
import { firstWordWithin } from './judge.ts';

test('each new daemon gets the remaining time of one start for its first line', () => {
  const until = START_WAIT_MS;
  const starts = [0, START_WAIT_MS / 2, until, 2 * until];
  expect(starts.map((now) => firstWordWithin(until, now))).toEqual([
    START_WAIT_MS,
    START_WAIT_MS / 2,
    SILENT_AT_FIRST_MS,
    SILENT_AT_FIRST_MS,
  ]);
});
