import { expect, test } from 'vitest';
import { createKeyGuard } from './key-guard.ts';

test('keys do not answer an approval that joins an open one before it was seen', () => {
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
  // An approval that leaves does not guard the others again.
  expect(guard.opened({ key: 'g', ids: ['b'] })).toBe(false);
  expect(guard.isArmed('g')).toBe(true);
  guard.close();
});
