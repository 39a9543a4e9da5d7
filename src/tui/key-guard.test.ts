import { expect, test } from 'vitest';
import { createKeyGuard } from './key-guard.ts';

test('a request that joins an open one is not answered before it was seen', () => {
  let now = 0;
  const guard = createKeyGuard(
    () => now,
    () => {},
  );
  expect(guard.opened({ key: 'g', ids: ['a'] })).toBe(true);
  now = 500;
  expect(guard.isArmed('g')).toBe(true);
  expect(guard.opened({ key: 'g', ids: ['a', 'b'] })).toBe(true);
  expect(guard.isArmed('g')).toBe(false);
  now = 1_000;
  expect(guard.isArmed('g')).toBe(true);
  // One that leaves changes nothing of what was guard.
  expect(guard.opened({ key: 'g', ids: ['b'] })).toBe(false);
  expect(guard.isArmed('g')).toBe(true);
  guard.close();
});
