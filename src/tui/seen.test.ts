import { expect, test } from 'vitest';
import { createSeen } from './seen.ts';

test('a request that joins an open one is not answered before it was seen', () => {
  let now = 0;
  const seen = createSeen(
    () => now,
    () => {},
  );
  expect(seen.opened({ key: 'g', ids: ['a'] })).toBe(true);
  now = 500;
  expect(seen.isArmed('g')).toBe(true);
  expect(seen.opened({ key: 'g', ids: ['a', 'b'] })).toBe(true);
  expect(seen.isArmed('g')).toBe(false);
  now = 1_000;
  expect(seen.isArmed('g')).toBe(true);
  // One that leaves changes nothing of what was seen.
  expect(seen.opened({ key: 'g', ids: ['b'] })).toBe(false);
  expect(seen.isArmed('g')).toBe(true);
  seen.close();
});
