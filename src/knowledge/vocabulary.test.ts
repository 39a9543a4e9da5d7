import { expect, test } from 'vitest';
import { parseVocabulary } from './vocabulary.ts';

const parsed = (verbs: string) =>
  parseVocabulary((file) => (file === 'verbs' ? verbs : 'prod: [production-tool]'));

test('a word counts where it says', () => {
  const words = parsed('{ delete: [subcommand, tool], yank: [tool] }');
  expect(words.tool).toEqual(['delete', 'yank']);
  expect(words.subcommand).toEqual(['delete']);
  expect(words.click).toEqual([]);
  expect(words['production-tool']).toEqual(['prod']);
});

test.each([
  ['a use that nobody knows', '{ delete: [subcomand] }', 'verbs.yaml, delete.0'],
  ['a use of another file', '{ delete: [kept-name] }', 'verbs.yaml, delete.0'],
  ['a word that counts nowhere', '{ delete: [] }', 'counts nowhere'],
  ['a word that would be a pattern', '{ "del.*": [tool] }', 'lowercase letters'],
])('%s is refused', (_, yaml, message) => {
  expect(() => parsed(yaml)).toThrow(message);
});
