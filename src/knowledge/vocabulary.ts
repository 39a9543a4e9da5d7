import * as v from 'valibot';
import { parse } from 'yaml';

/** Where a word may count. The file in `knowledge/` says what each use is. */
const USES = {
  verbs: [
    'subcommand',
    'last-part',
    'option',
    'operation',
    'undescribed',
    'undescribed-last-part',
    'request',
    'address',
    'query',
    'tool',
    'tool-big',
    'tool-flag',
    'tool-file',
    'click',
  ],
  places: [
    'production-command',
    'production-tool',
    'production-end',
    'production-page',
    'kept-name',
    'passing-name',
    'passing-page',
    'passing-tool',
  ],
} as const;
type VocabularyFile = keyof typeof USES;
export type Use = (typeof USES)[VocabularyFile][number];

/** The words of each use. */
export type Vocabulary = Readonly<Record<Use, readonly string[]>>;

const word = v.pipe(
  v.string(),
  v.regex(/^[a-z\d]+(?:-[a-z]+)*$/, 'a word has lowercase letters and digits only'),
);

/** Reads the files of words, when Hookline is built. */
export function parseVocabulary(read: (file: VocabularyFile) => string): Vocabulary {
  return { ...parseFile('verbs', USES.verbs, read), ...parseFile('places', USES.places, read) };
}

function parseFile<const U extends readonly string[]>(
  file: VocabularyFile,
  uses: U,
  read: (file: VocabularyFile) => string,
): Readonly<Record<U[number], readonly string[]>> {
  const used = v.pipe(v.array(v.picklist(uses)), v.minLength(1, 'a word that counts nowhere'));
  const parsed = v.safeParse(v.record(word, used), parse(read(file)));
  if (!parsed.success) {
    const [{ message, path }] = parsed.issues;
    throw new Error(`${file}.yaml, ${(path ?? []).map(({ key }) => key).join('.')}: ${message}`);
  }
  const all = Object.entries(parsed.output);
  const of = (use: U[number]) => all.flatMap(([name, its]) => (its.includes(use) ? [name] : []));
  return v.parse(
    // A pattern of no words would match everything.
    v.strictObject(
      v.entriesFromList(uses, v.pipe(v.array(v.string()), v.minLength(1, 'a use without words'))),
    ),
    Object.fromEntries(uses.map((use) => [use, of(use)])),
  );
}
