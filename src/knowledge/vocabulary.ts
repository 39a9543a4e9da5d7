import * as v from 'valibot';
import { parse } from 'yaml';
import { parseVerbs, type VerbUse } from './verbs.ts';
import { words } from './word-lists.ts';

/** Where a word about a place may count. The file in `knowledge/` says what each use is. */
const PLACES = [
  'production-command',
  'production-tool',
  'production-end',
  'production-page',
  'kept-name',
  'passing-name',
  'passing-page',
  'passing-tool',
] as const;
/** Lists beside the words. */
const LISTS = [
  'here-engine',
  'here-cluster',
  'own-engine',
  'here-host',
  'here-host-outside',
  'place-option',
  'environment-option',
  'address-option',
  'environment-variable',
  'echo-host',
  'harmless-settings',
  'famous-host',
] as const;
type PlaceUse = (typeof PLACES)[number] | (typeof LISTS)[number];
export type Use = VerbUse | PlaceUse;

/** The words of each use. */
export type Vocabulary = Readonly<Record<Use, readonly string[]>>;

const word = v.pipe(
  v.string(),
  v.regex(/^[a-z\d]+(?:-[a-z]+)*$/, 'a word has lowercase letters and digits only'),
);
const uses = v.pipe(v.array(v.picklist(PLACES)), v.minLength(1, 'a word that counts nowhere'));
const list = v.pipe(words, v.minLength(1, 'a list without words'));
const file = v.strictObject({
  words: v.record(word, uses),
  lists: v.strictObject(v.entriesFromList(LISTS, list)),
});

/** Reads the files of words, when Hookline is built. */
export function parseVocabulary(read: (file: 'verbs' | 'places') => string): Vocabulary {
  return { ...parseVerbs(read('verbs')), ...parsePlaces(read('places')) };
}

function parsePlaces(yaml: string): Readonly<Record<PlaceUse, readonly string[]>> {
  const parsed = v.safeParse(file, parse(yaml));
  if (!parsed.success) {
    const [{ message, path }] = parsed.issues;
    throw new Error(`places.yaml, ${(path ?? []).map(({ key }) => key).join('.')}: ${message}`);
  }
  const { words: all, lists } = parsed.output;
  const of = (use: string) =>
    Object.entries(all).flatMap(([name, its]) => (its.some((one) => one === use) ? [name] : []));
  const counting = v.parse(
    // A pattern of no words would match everything.
    v.strictObject(
      v.entriesFromList(PLACES, v.pipe(v.array(v.string()), v.minLength(1, 'a use without words'))),
    ),
    Object.fromEntries(PLACES.map((use) => [use, of(use)])),
  );
  return { ...counting, ...lists };
}
