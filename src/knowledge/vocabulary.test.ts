import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseVocabulary } from './vocabulary.ts';

const VERBS = readFileSync(new URL('../../knowledge/verbs.yaml', import.meta.url), 'utf8');
const PLACES = readFileSync(new URL('../../knowledge/places.yaml', import.meta.url), 'utf8');
const WORDS = `words: { prod: [production-command, production-tool, production-end, production-page, kept-name, passing-name,
  passing-page, passing-tool] }`;
/** The lists of the file, with these words. */
const placed = (words: string) => PLACES.replace(/^words:\n(?: .*\n)+/m, `${words}\n`);

const parsed = ({ verbs = VERBS, places = placed(WORDS) }) =>
  parseVocabulary((file) => (file === 'verbs' ? verbs : places));

const and = (before: string, more: string) => VERBS.replace(before, `${before} ${more}`);

test('a verb counts at every door for which it is certain enough', () => {
  const surely = parsed({ verbs: and('surely: delete', 'frobnicate') });
  const loosely = parsed({ verbs: and('loosely: clear', 'frobnicate') });
  const doorsOf = (words: typeof surely) =>
    Object.entries(words).flatMap(([use, list]) => (list.includes('frobnicate') ? [use] : []));
  expect(doorsOf(surely)).toEqual([
    ...['subcommand', 'last-part', 'option', 'operation', 'undescribed', 'undescribed-last-part'],
    ...['request', 'address', 'method', 'tool', 'tool-flag', 'tool-file', 'typed', 'click'],
  ]);
  expect(doorsOf(loosely)).toEqual(['subcommand', 'method-big', 'tool-big']);
});

test('a verb with another meaning at a door does not count there', () => {
  expect(parsed({}).subcommand).not.toContain('close');
  expect(parsed({}).click).toContain('close');
});

test('a word about a place counts at the doors it names', () => {
  expect(parsed({ places: placed(WORDS.replace('{', '{ lab: [passing-tool],')) })['passing-tool']).toEqual([
    'lab',
    'prod',
  ]);
});

test.each([
  ['a verb under two acts', { verbs: and('surely: delete', 'close') }, 'close stands there twice'],
  [
    'an exception that excepts nothing',
    { verbs: and('click: discard', 'fetch') },
    'fetch does not count there',
  ],
  ['a list that nothing reads', { verbs: `${VERBS}\n  others: x` }, 'verbs.yaml'],
  ['a verb that would be a pattern', { verbs: and('surely: delete', 'del.*') }, 'lowercase letters'],
  [
    'a use that does not exist',
    { places: placed('words: { prod: [kept-nam] }') },
    'places.yaml, words.prod.0',
  ],
  ['a word that counts nowhere', { places: placed('words: { prod: [] }') }, 'counts nowhere'],
  [
    'a use without words, which would match everything',
    { places: placed('words: { prod: [kept-name] }') },
    'a use without words',
  ],
])('%s is refused', (_, files, message) => {
  expect(() => parsed(files)).toThrow(message);
});
