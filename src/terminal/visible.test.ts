import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forTerminal, styled } from './style.ts';
import { terminalLine, visible, visibleLine } from './visible.ts';

test.each([
  ['colours', '\x1b[31mred', '␛[31mred'],
  ['a title', '\x1b]0;owned\x07', '␛]0;owned␇'],
  ['a link', '\x1b]8;;https://evil\x1b\\here', '␛]8;;https://evil␛\\here'],
  ['a C1 control', '\x9b31mred', '\\u009b31mred'],
  ['going back to the start', 'safe\revil', 'safe␍evil'],
  ['going back one', 'ab\b\bevil', 'ab␈␈evil'],
  ['a bell', 'a\x07b', 'a␇b'],
  ['another direction', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['isolates', '\u2066a\u2069', '\\u2066a\\u2069'],
  ['no width', 'pass\u200bword\ufeff', 'pass\\u200bword\\ufeff'],
  ['hidden tags', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['a filler', 'a\u3164b', 'a\\u3164b'],
  ['half a character', 'a\ud800b', 'a\\ud800b'],
  ['delete', 'a\x7fb', 'a\\u007fb'],
  ['a tab', 'a\tb', 'a    b'],
  ['lines', 'a\r\nb\nc', 'a\nb\nc'],
  ['other lines', 'a\u2028b\u0085c', 'a\\u2028b\\u0085c'],
  ['letters and pictures', 'Grüße, 世界 👍 é', 'Grüße, 世界 👍 é'],
])('%s', (_, text, safe) => {
  expect(visible(text)).toBe(safe);
});

test('a name with line breaks is one line', () => {
  expect(visibleLine('a\n12:00 allow\r\nb')).toBe('a 12:00 allow b');
  expect(terminalLine('a\nb')).toBe('a b');
});

test('only visible characters and line breaks of any text remain', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visible(text)).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$|\n/u);
      expect(visible(text).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('JSON keeps its meaning', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(JSON.parse(visible(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(JSON.parse(visible(JSON.stringify(value, null, 2)))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('keeps our own styles and removes foreign ones', () => {
  const line = `${styled(31, 'deny', 39)} rm \x1b[32mallow\x1b[39m`;
  expect(forTerminal(line)).toBe('\x1b[31mdeny\x1b[39m rm ␛[32mallow␛[39m');
});

test('written text counts as foreign when written again', () => {
  expect(forTerminal(forTerminal(styled(31, 'deny', 39)))).toBe('␛[31mdeny␛[39m');
});
