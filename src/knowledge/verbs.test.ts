import { expect, test } from 'vitest';
import { parseVerbs } from './verbs.ts';

test('a verb counts where it says', () => {
  const verbs = parseVerbs('removes: { delete: [subcommand, tool], yank: [tool] }');
  expect(verbs.tool).toEqual(['delete', 'yank']);
  expect(verbs.subcommand).toEqual(['delete']);
  expect(verbs.click).toEqual([]);
});

test.each([
  ['a use that nobody knows', 'removes: { delete: [subcomand] }', 'removes.delete.0'],
  ['a verb that counts nowhere', 'removes: { delete: [] }', 'counts nowhere'],
  ['a verb that would be a pattern', 'removes: { "del.*": [tool] }', 'lowercase letters only'],
  ['another list', 'removes: {}\nadds: {}', 'adds'],
])('%s is refused', (_, yaml, message) => {
  expect(() => parseVerbs(yaml)).toThrow(message);
});
