import { expect, test } from 'vitest';
import { editLines } from './diff.ts';

const edit = (before: string | null, after: string | null) =>
  editLines({ path: '/settings.json', before, after }).map((line) => line.trimEnd());

test('a new file is shown whole', () => {
  expect(edit(null, '{\n}\n')).toEqual(['create /settings.json', '  + {', '  + }']);
});

test('a file that goes is named', () => {
  expect(edit('{}', null)).toEqual(['delete /settings.json']);
});

test('a change is shown with a little around it', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].join('\n');
  const after = ['a', 'b', 'c', 'D', 'E', 'extra', 'f', 'g', 'h'].join('\n');
  expect(edit(before, after)).toEqual([
    'change /settings.json',
    '    b',
    '    c',
    '  - d',
    '  - e',
    '  + D',
    '  + E',
    '  + extra',
    '    f',
    '    g',
  ]);
});

test('repeated lines are counted once', () => {
  expect(edit('x\nx\n', 'x\nx\nx\n')).toEqual(['change /settings.json', '    x', '    x', '  + x']);
});

test('JSON on one long line is shown with line breaks, and the note says so', () => {
  const long = 'x'.repeat(300);
  const [title, ...shown] = edit(`{"a":"${long}"}`, `{"a":"${long}","hooks":{"Stop":[]}}`);
  expect(title).toBe('change /settings.json (shown with line breaks; the file keeps its long lines)');
  expect(shown.filter((line) => line.startsWith('  +'))).toEqual([
    `  +   "a": "${long}",`,
    '  +   "hooks": {',
    '  +     "Stop": []',
    '  +   }',
  ]);
  // Text that is not JSON is shown as it is.
  expect(edit(long, `${long}!`)).toEqual(['change /settings.json', `  - ${long}`, `  + ${long}!`]);
});
