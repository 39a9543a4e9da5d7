import { expect, test } from 'vitest';
import { folded } from './fold.ts';
import { forTerminal, styled } from './style.ts';

test('wraps lines between words and keeps the indentation', () => {
  expect(folded('  one two three four', 2, 11)).toBe('  one two\n  three\n  four');
});

test('keeps a line that fits, with its spaces', () => {
  expect(folded('  a   b', 2, 7)).toBe('  a   b');
});

test('keeps a word longer than a line whole', () => {
  expect(folded('see http://127.0.0.1/login?code=abc now', 0, 12)).toBe(
    'see\nhttp://127.0.0.1/login?code=abc\nnow',
  );
});

test('styles have no width', () => {
  expect(folded(`${styled(1, 'bold', 22)} word`, 0, 9)).not.toContain('\n');
  expect(forTerminal(folded(`${styled(1, 'bold', 22)} words`, 0, 9))).toBe('\x1b[1mbold\x1b[22m\nwords');
});

test('does not wrap piped output', () => {
  const long = 'word '.repeat(100).trim();
  expect(folded(long)).toBe(long);
});
