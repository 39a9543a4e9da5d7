import { expect, test } from 'vitest';
import { patchChanges, patchOperations } from './patch.ts';

const changes = (...lines: string[]) =>
  patchChanges(['*** Begin Patch', ...lines, '*** End Patch', 'EOF'].join('\n'));
const shown = (...lines: string[]) =>
  changes(...lines).map(({ path, lines: all }) => [path, ...all.map(({ mark, text }) => mark + text)]);

test('every file of a patch has its lines', () => {
  expect(
    shown(
      '*** Add File: new.txt',
      '+hello',
      '  *** Delete File: gone.txt',
      '*** Update File: from.txt',
      '*** Move to: to.txt',
      '@@ class A',
      ' same',
      '-one',
      '+two',
      '',
      '*** End of File',
    ),
  ).toEqual([
    ['new.txt', '+hello'],
    ['gone.txt', '@deleted'],
    ['from.txt', '@moved to to.txt', '@@@ class A', ' same', '-one', '+two', ' '],
  ]);
});

test('includes both texts, but not deleted content', () => {
  expect(changes('*** Update File: a', '@@', '-x', '+y', '*** Delete File: b')).toMatchObject([
    { path: 'a', before: 'x', after: 'y' },
    { path: 'b', before: null, after: '' },
  ]);
});

test("a line of a file isn't a header", () => {
  expect(shown('*** Update File: a', ' *** Delete File: b', '+*** Move to: c')).toEqual([
    ['a', ' *** Delete File: b', '+*** Move to: c'],
  ]);
});

test('the files are those named by the operations', () => {
  const patch =
    '*** Begin Patch\r\n\t*** Add File: a b \r\n+x\r\n *** Delete File: c\r\n*** Update File: d\r\n';
  expect(patchChanges(patch).map(({ path }) => path)).toEqual(patchOperations(patch).map(({ path }) => path));
});
