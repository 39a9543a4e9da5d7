import { expect, test } from 'vitest';
import { cellsOf, cutCells, cutMiddle, firstCells } from './cells.ts';

test.each([
  ['plain', 5],
  ['Grüße', 5],
  ['e\u0301', 1],
  ['世界', 4],
  ['👍 ok', 5],
])('%s takes %i columns', (text, cells) => {
  expect(cellsOf(text)).toBe(cells);
});

test('does not cut a wide character in half', () => {
  expect(firstCells('世界', 3)).toBe('世');
  expect(cutCells('世界世界', 5)).toBe('世界…');
  expect(cutCells('abcdef', 4)).toBe('abc…');
  expect(cutCells('abc', 3)).toBe('abc');
});

test('keeps both ends of a branch', () => {
  expect(cutMiddle('feat/a-very-long-name', 11)).toBe('feat/…-name');
  expect(cutMiddle('main', 11)).toBe('main');
  expect(cutMiddle('feat/long', 3)).toBe('fe…');
});
