import { expect, test } from 'vitest';
import { isSameSecret, newSecret } from './secrets.ts';

test('each secret is different and long', () => {
  expect(newSecret()).not.toBe(newSecret());
  expect(newSecret()).toMatch(/^[\w-]{43}$/);
});

test('only the same text is the same secret, in any encoding', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true);
  expect(isSameSecret('', 'abc')).toBe(false);
  expect(isSameSecret('abd', 'abc')).toBe(false);
  // The same number of characters, but more bytes.
  expect(isSameSecret('äbc', 'abc')).toBe(false);
});
