import { expect, test } from 'vitest';
import { positionOf } from './position.ts';
import { editedText } from './result.ts';
import { textsGiven } from './texts.ts';

const BEFORE = 'a: 1\nb: 2\nc: 1\n';

test.each([
  ['one place', { old_string: 'b: 2', new_string: 'b: 3' }, 'a: 1\nb: 3\nc: 1\n'],
  ['every place', { old_string: ': 1', new_string: ': 9', replace_all: true }, 'a: 9\nb: 2\nc: 9\n'],
  ['names of other agents', { oldString: 'b: 2\n', newString: '' }, 'a: 1\nc: 1\n'],
  [
    'a list',
    {
      edits: [
        { oldText: 'a: 1', newText: 'a: 5' },
        { oldText: 'a: 5', newText: 'a: 6' },
      ],
    },
    'a: 6\nb: 2\nc: 1\n',
  ],
  ['lines that are put in', { insert_line: 1, insert_text: 'x: 0' }, 'a: 1\nx: 0\nb: 2\nc: 1\n'],
])('applies an edit as the tool does: %s', (_, input, after) => {
  expect(editedText(input, BEFORE)).toBe(after);
});

test.each([
  ['what is not there', { old_string: 'z', new_string: 'y' }],
  ['nothing in a file that has something', { old_string: '', new_string: 'y' }],
  ['a text without a place', { new_string: 'y' }],
  ['more than anyone writes', { old_string: ':', new_string: 'y'.repeat(600_000) }],
  ['more edits than are looked at', { edits: Array(100).fill({ old_string: ': 1', new_string: ': 1' }) }],
])('other edits have an unknown result: %s', (_, input) => {
  expect(editedText(input, BEFORE)).toBeNull();
});

const patchOf = (patch: string) =>
  textsGiven(
    {
      name: 'Edit',
      nativeName: 'apply_patch',
      kind: 'write',
      useId: null,
      mcp: null,
      command: null,
      input: { patch },
      files: [],
    },
    [],
  );

test('applies a patch hunk by hunk', () => {
  const [file] = patchOf(
    '*** Begin Patch\n*** Update File: x\n@@\n a: 1\n-b: 2\n+b: 3\n@@\n c: 1\n+d: 4\n*** End Patch',
  );
  expect(file?.after(BEFORE)).toBe('a: 1\nb: 3\nc: 1\nd: 4\n');
  expect(file?.after('z: 1\n')).toBeNull();
});

test("also applies a patch in git's format", () => {
  const [file] = patchOf('--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a: 1\n-b: 2\n c: 1\n');
  expect(file).toMatchObject({ path: 'x', before: 'b: 2' });
  expect(file?.after(BEFORE)).toBe('a: 1\nc: 1\n');
});

test('finds a text where indexOf finds it', () => {
  const text = `${'ab'.repeat(300)}c${'ab'.repeat(200)}`;
  for (const sought of [
    'b',
    `${'ab'.repeat(120)}c`,
    `c${'ab'.repeat(150)}`,
    `${'ab'.repeat(250)}d`,
    'x'.repeat(900),
  ])
    for (const from of [0, 150, 700]) expect(positionOf(sought, text, from)).toBe(text.indexOf(sought, from));
});
