import { entryOf } from '../../model/lookup.ts';
import { nearestName, suggestion } from '../../model/suggestion.ts';
import { EFFECT_WORDS, ELEVATED_WORDS, OPEN_KINDS } from '../match/effect-words.ts';
import type { Doubt, KnownNames } from './remarks.ts';

/** Shorter names are similar to too many others. */
const TELLING_LENGTH = 5;

/** Words that no effect has, and what was probably meant. */
export function effectRemarks(alternative: string, known: Pick<KnownNames, 'effectNames'>): readonly Doubt[] {
  const [kind = '', ...words] = alternative.trim().split(/\s+/);
  const own = entryOf<readonly string[]>(EFFECT_WORDS, kind);
  if (own === undefined) {
    const kinds = Object.keys(EFFECT_WORDS);
    return [doubt(`unknown effect "${kind}"`, kind, kinds, `known effects: ${kinds.join(', ')}`)];
  }
  const all = kind === 'expose' ? own : [...own, ...ELEVATED_WORDS];
  return words.flatMap((word) => {
    if (all.includes(word)) return [];
    if (OPEN_KINDS.has(kind)) return nameDoubt(kind, word, all, known) ?? [];
    return [doubt(`"${kind}" can't be "${word}"`, word, all, `it can be ${all.join(', ')}`)];
  });
}

function doubt(what: string, word: string, known: readonly string[], otherwise: string): Doubt {
  return { message: `effects: ${what}; ${suggestion(word, known) ?? otherwise}`, never: true };
}

/** Reports an unknown name only if it is close to a known one. Variables can have any name. */
function nameDoubt(
  kind: string,
  word: string,
  words: readonly string[],
  { effectNames }: Pick<KnownNames, 'effectNames'>,
): Doubt | null {
  if (word.length < TELLING_LENGTH) return null;
  const names = kind === 'env' ? [] : effectNames(kind);
  const meant = names.includes(word) ? null : nearestName(word, [...words, ...names]);
  return meant === null
    ? null
    : { message: `effects: "${kind} ${word}" is not known; did you mean ${meant}?`, never: false };
}
