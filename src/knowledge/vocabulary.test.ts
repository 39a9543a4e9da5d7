import { expect, test } from 'vitest';
import { parseVocabulary } from './vocabulary.ts';

const VERB = `delete: [subcommand, last-part, option, operation, undescribed, undescribed-last-part, request, address, query, tool,
  tool-big, tool-flag, tool-file, click]`;
const PLACE = `prod: [production-command, production-tool, production-end, production-page, kept-name, passing-name, passing-page,
  passing-tool]`;

const parsed = (verbs: string) => parseVocabulary((file) => (file === 'verbs' ? verbs : PLACE));

test('a word counts where it says', () => {
  const words = parsed(`${VERB}\nyank: [tool]`);
  expect(words.tool).toEqual(['delete', 'yank']);
  expect(words.subcommand).toEqual(['delete']);
  expect(words['production-tool']).toEqual(['prod']);
});

test.each([
  ['a use that nobody knows', '{ delete: [subcomand] }', 'verbs.yaml, delete.0'],
  ['a use of another file', '{ delete: [kept-name] }', 'verbs.yaml, delete.0'],
  ['a word that counts nowhere', '{ delete: [] }', 'counts nowhere'],
  ['a use without words, which would match everything', VERB.replace(', click', ''), 'a use without words'],
  ['a word that would be a pattern', '{ "del.*": [tool] }', 'lowercase letters'],
])('%s is refused', (_, yaml, message) => {
  expect(() => parsed(yaml)).toThrow(message);
});
