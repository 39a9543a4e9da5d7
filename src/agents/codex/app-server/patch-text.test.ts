import { expect, test } from 'vitest';
import { patchOperations } from '../../kit/patch.ts';
import { patchText } from './patch-text.ts';

// As 0.166.0 reported one patch.
const CHANGES = [
  { path: '/p/a.txt', kind: { type: 'add' }, diff: 'hello\n\nworld\n' },
  { path: '/p/d.txt', kind: { type: 'delete' }, diff: 'bye\n' },
  {
    path: '/p/u.txt',
    kind: { type: 'update', move_path: '/p/v.txt' },
    diff: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n\n\nMoved to: /p/v.txt',
  },
];

test('changes match the original patch', () => {
  expect(patchText(CHANGES).split('\n')).toEqual([
    '*** Begin Patch',
    '*** Add File: /p/a.txt',
    '+hello',
    '+',
    '+world',
    '*** Delete File: /p/d.txt',
    '*** Update File: /p/u.txt',
    '*** Move to: /p/v.txt',
    '@@',
    ' one',
    '-two',
    '+2',
    ' three',
    '*** End Patch',
  ]);
});

test('and are parsed like those of hooks', () => {
  expect(patchOperations(patchText(CHANGES))).toEqual([
    { op: 'create', path: '/p/a.txt' },
    { op: 'delete', path: '/p/d.txt' },
    expect.objectContaining({ op: 'move', path: '/p/u.txt', to: '/p/v.txt' }),
  ]);
});
