import { expect, test } from 'vitest';
import { userName, whoDecides } from './user-name.ts';

const unnamed = () => {
  throw new Error('no such user');
};

test('a UID without a name is null, and shown as a number where a name is required', () => {
  expect(userName(unnamed)).toBeNull();
  expect(whoDecides(unnamed)).toBe(`uid ${process.getuid?.() ?? 'unknown'}`);
});

test('a UID with a name is shown by it', () => {
  expect(userName(() => ({ username: 'ada' }))).toBe('ada');
  expect(whoDecides(() => ({ username: 'ada' }))).toBe('ada');
});
