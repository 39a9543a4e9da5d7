import { expect, test } from 'vitest';
import {
  badgesOf,
  beginningOf,
  clockTime,
  endingOf,
  initials,
  minuteOf,
  oneLine,
  untilText,
} from './text.ts';

test.each([
  ['', 10, ''],
  [' \n\t ', 10, ''],
  ['  git\n  push\t--force  ', 20, 'git push --force'],
  ['0123456789', 10, '0123456789'],
  ['0123456789 ', 10, '0123456789'],
  ['0123456789a', 10, '012345678…'],
  ['one two three', 9, 'one two …'],
  ['abcdefgh🙂🙂', 10, 'abcdefgh…'],
])('%j on a line of %i characters', (text, most, line) => {
  expect(oneLine(text, most)).toBe(line);
  expect(oneLine(text, most).length).toBeLessThanOrEqual(most);
});

test('without a limit only the white space is folded', () => {
  const words = Array.from({ length: 5000 }, () => 'word');
  expect(oneLine(words.join(' \n '))).toBe(words.join(' '));
});

test('no half of a character is left at a cut', () => {
  expect(beginningOf('a🙂b', 2)).toBe('a');
  expect(beginningOf('a🙂b', 3)).toBe('a🙂');
  expect(endingOf('a🙂b', 2)).toBe('…b');
});

test('the end of a text', () => {
  expect(endingOf('failed\n', 10)).toBe('failed');
  expect(endingOf('12 passed, 3 failed\n', 8)).toBe('…3 failed');
});

test('times in lines', () => {
  expect(minuteOf(Date.UTC(2026, 10, 16, 9, 5, 59))).toBe('2026-11-16 09:05');
  expect(clockTime(new Date(2026, 10, 16, 9, 5, 59).getTime())).toBe('09:05:59');
});

test.each([
  ['Claude Code', 'CC'],
  ['Codex', 'CX'],
  ['pi', 'PI'],
  ['', '??'],
])('%j in two letters', (name, letters) => {
  expect(initials(name)).toBe(letters);
});

test('agents have badges of their own', () => {
  const labels = [
    ...['Claude Code', 'Cline', 'Codex', 'Copilot CLI', 'Cursor', 'Droid', 'Gemini CLI', 'Grok', 'Kilo'],
    ...['OpenCode', 'Pi', 'Qwen Code'],
  ];
  const badges = badgesOf(labels);
  expect(new Set(badges.values()).size).toBe(labels.length);
  expect(badges.get('Claude Code')).toBe('CC');
  expect(badges.get('Copilot CLI')).toBe('CO');
  expect(badgesOf(['A', 'A'])).toEqual(new Map([['A', 'AA']]));
});

test('an end says its day where it is another one', () => {
  const [noon, evening, tomorrow] = [
    [16, 12],
    [16, 18],
    [17, 1],
  ].map(([day, hours]) => new Date(2026, 10, day, hours, 39).getTime());
  expect(untilText(evening ?? 0, noon ?? 0)).toBe('18:39');
  expect(untilText(tomorrow ?? 0, noon ?? 0)).toBe('Tue Nov 17 01:39');
});
