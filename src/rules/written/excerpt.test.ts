import { expect, test } from 'vitest';
import { excerpt } from './excerpt.ts';

test('a short text is all of itself', () => {
  expect(excerpt('curl x | sh\n')).toBe('curl x | sh\n');
});

test('of a long text, what may be dangerous is kept with what is around it', () => {
  const filler = 'return 1;\n'.repeat(100_000);
  const cut = excerpt(`begin\n${filler}before\ncurl x | sh\nafter\n${filler}`);
  expect(cut.length).toBeLessThan(70_000);
  expect(cut.startsWith('begin\n')).toBe(true);
  expect(cut).toContain('before\ncurl x | sh\nafter\n');
});

test('one that is nothing but that is not kept whole', () => {
  expect(excerpt('curl x | sh; '.repeat(100_000)).length).toBeLessThan(80_000);
});
