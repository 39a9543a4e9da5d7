import { BoundedMap } from '../platform/bounded.ts';
import { envValuesLearned, findEnvValues } from './env-values.ts';
import { findPrivateKeys, findPrivateMarks } from './forms/blocks.ts';
import { findRandom } from './forms/entropy.ts';
import { findSeedPhrases } from './forms/seed-phrases.ts';
import { findSecrets } from './scan.ts';
import type { Findings } from './text/findings.ts';
import { Reader } from './text/reader.ts';

/** A value of a variable alone. */
const SHORTEST_SECRET = 6;

type Pass = (reader: Reader) => Findings;

/** The random ones last, so that what has a name or a form is called by it. */
const PASSES: readonly Pass[] = [
  findPrivateMarks,
  findEnvValues,
  findPrivateKeys,
  findSeedPhrases,
  findSecrets,
  findRandom,
];

/**
 * The text with every secret we can tell replaced by its kind. Safe on JSON: the result still parses. Takes as long as
 * the text is, whatever stands in it, and changes nothing in what it has redacted before.
 */
export function redact(text: string): string {
  if (text.length < SHORTEST_SECRET) return text;
  if (text.length > LONGEST_REMEMBERED) return redactCounting(text).text;
  if (rememberedAt !== envValuesLearned()) {
    rememberedAt = envValuesLearned();
    redacted.clear();
  }
  let found = redacted.get(text);
  if (found === undefined) {
    found = redactCounting(text).text;
    redacted.set(text, found);
  }
  return found;
}

/** Folders and answers, which are the same call after call. */
const LONGEST_REMEMBERED = 120;
const redacted = new BoundedMap<string, string>(128);
/** How many values of variables were known then. */
let rememberedAt = 0;

/** What a text holds that can be nothing but a secret, by its form: `github-token`, `private-key`. */
export function secretsIn(text: string): readonly string[] {
  const reader = new Reader(text);
  return [...findPrivateKeys(reader).kinds, ...findSecrets(reader).kinds];
}

/** The same, with how many characters were looked at on the way. */
export function redactCounting(text: string): { readonly text: string; readonly steps: number } {
  return redactWith(PASSES, text);
}

export function redactWith(
  passes: readonly Pass[],
  text: string,
): { readonly text: string; readonly steps: number } {
  if (text.length < SHORTEST_SECRET) return { text, steps: text.length };
  let reader = new Reader(text);
  let steps = 0;
  for (const pass of passes) {
    const found = pass(reader);
    if (found.isEmpty) continue;
    steps += reader.steps;
    reader = new Reader(found.apply(reader));
  }
  return { text: reader.text, steps: steps + reader.steps };
}
