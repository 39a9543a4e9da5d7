import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedLines } from './changes.ts';

const diff = (before: string, after: string, around = 1) =>
  changedLines(before.split(''), after.split(''), around).map(({ mark, text }) => mark + text);

test.each([
  ['abcdef', 'abXdef', [' b', '-c', '+X', ' d']],
  ['', 'ab', ['+a', '+b']],
  ['ab', '', ['-a', '-b']],
  ['aa', 'aaa', [' a', '+a']],
  ['abc', 'abc', [' c']],
])('from %s to %s', (before, after, lines) => {
  expect(diff(before, after)).toEqual(lines);
});

test('with everything around, both texts can be read from it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b')), fc.array(fc.constantFrom('a', 'b')), (before, after) => {
      const lines = changedLines(before, after, 100);
      const side = (marks: string) => lines.flatMap(({ mark, text }) => (marks.includes(mark) ? text : []));
      expect(side(' -')).toEqual(before);
      expect(side(' +')).toEqual(after);
    }),
  );
});
