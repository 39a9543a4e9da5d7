import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patchOperations, patchToCreate, patchToEdit } from './patch.ts';

const operations = (...lines: string[]) =>
  patchOperations(['*** Begin Patch', ...lines, '*** End Patch'].join('\n'));

test('one patch has several operations', () => {
  expect(
    operations(
      '*** Add File: src/new.txt',
      '+hello',
      '*** Delete File: gone.txt',
      '*** Update File: old.txt',
      '@@',
      '-one',
      '+two',
      '*** Update File: from.txt',
      '*** Move to: moved/to.txt',
      '@@',
      ' same',
    ),
  ).toEqual([
    { op: 'create', path: 'src/new.txt' },
    { op: 'delete', path: 'gone.txt' },
    { op: 'edit', path: 'old.txt' },
    { op: 'move', path: 'from.txt', to: 'moved/to.txt' },
  ]);
});

test('accepts headers with surrounding spaces, like the client', () => {
  expect(operations('  *** Add File: a b.txt  ', '+x', '\t*** Delete File: /etc/hosts')).toEqual([
    { op: 'create', path: 'a b.txt' },
    { op: 'delete', path: '/etc/hosts' },
  ]);
});

test('a header needs no space after the colon, and a path may contain any character', () => {
  expect(
    operations('*** Add File:/etc/a', '+x', '*** Update File:b', '*** Move to:c', '@@', ' same'),
  ).toEqual([
    { op: 'create', path: '/etc/a' },
    { op: 'move', path: 'b', to: 'c' },
  ]);
  expect(operations('*** Delete File: x\u2028/../a', '*** Delete File: x\r/../b')).toEqual([
    { op: 'delete', path: 'x\u2028/../a' },
    { op: 'delete', path: 'x\r/../b' },
  ]);
});

test("lines of a file aren't headers, whatever they say", () => {
  expect(operations('*** Add File: a', '+*** Delete File: b')).toEqual([{ op: 'create', path: 'a' }]);
  expect(operations('*** Update File: a', '@@', ' *** Delete File: b', '-*** Move to: c')).toEqual([
    { op: 'edit', path: 'a' },
  ]);
});

test('Windows line endings, a patch in a command, and no patch at all', () => {
  expect(patchOperations('*** Begin Patch\r\n*** Add File: a\r\n+x\r\n')).toEqual([
    { op: 'create', path: 'a' },
  ]);
  expect(
    patchOperations("apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF"),
  ).toEqual([{ op: 'delete', path: 'a' }]);
  expect(patchOperations('rm -rf /')).toEqual([]);
});

test('any written patch is parsed back', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (from, to) => {
      expect(patchOperations(patchToCreate('a/b.txt', from))).toEqual([{ op: 'create', path: 'a/b.txt' }]);
      expect(patchOperations(patchToEdit('a/b.txt', from, to))).toEqual([{ op: 'edit', path: 'a/b.txt' }]);
    }),
  );
});
