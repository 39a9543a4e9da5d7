import * as v from 'valibot';
import { parse } from 'yaml';

/** A list, or a text of words with blanks between them. */
export const words = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((text) => text.split(/\s+/).filter((word) => word !== '')),
  ),
]);
/** Subcommands have blanks in them: `state rm`. */
export const subcommands = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((text) => [text]),
  ),
]);
export const options = v.pipe(v.string(), v.trim(), v.regex(/^[^\n]*$/, 'options are one line'));

const LONGEST_PHRASE = 3;

const phrase = v.pipe(
  v.string(),
  v.check(
    (said) => said.split(/[\s-]+/).length <= LONGEST_PHRASE,
    `a phrase has at most ${LONGEST_PHRASE} words`,
  ),
);
const group = v.pipe(
  v.string(),
  v.transform((line) => line.split(',').map((one) => one.trim().toLowerCase())),
  v.array(v.pipe(phrase, v.minLength(1, 'a word is missing'))),
  v.minLength(2, 'a group has at least two words'),
  v.check((words) => new Set(words).size === words.length, 'a word is twice in its group'),
);

/** Reads the groups, when Hookline is built. */
export function parseSynonyms(yaml: string): readonly (readonly string[])[] {
  const parsed = v.safeParse(v.array(group), parse(yaml));
  if (parsed.success) return parsed.output;
  const [{ message, path }] = parsed.issues;
  throw new Error(`synonyms.yaml, group ${Number(path?.[0]?.key ?? 0) + 1}: ${message}`);
}
