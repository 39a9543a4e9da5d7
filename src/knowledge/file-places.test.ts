import { expect, test } from 'vitest';
import { parseFileLists } from './file-places.ts';

test('a name stands for its patterns', () => {
  const { leftovers } = parseFileLists(() => 'made-folders: ["**/dist/**"]', []);
  expect(leftovers).toEqual({ 'made-folders': ['**/dist/**'] });
});

test('files of programs count as secrets', () => {
  const own = [{ credentials: ['~/.a', '~/.b'] }, { credentials: ['~/.b'], histories: ['~/.h'] }];
  const { secrets } = parseFileLists(() => 'credentials: [/etc/shadow]', own);
  expect(secrets).toEqual({ credentials: ['/etc/shadow', '~/.a', '~/.b'], histories: ['~/.h'] });
});

test.each([
  ['a name without a pattern', 'made-folders: []', 'leftovers.yaml, made-folders: a name that stands for'],
  ['a pattern that is there twice', 'made-folders: [a, a]', 'twice'],
  ['a pattern that is empty', 'made-folders: [""]', 'leftovers.yaml, made-folders.0'],
  ['a name that no rule could say', 'Made folders: [a]', 'lowercase letters'],
])('%s is refused', (_, yaml, message) => {
  expect(() => parseFileLists(() => yaml, [])).toThrow(message);
});
