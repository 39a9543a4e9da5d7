/*
 * Words are split here and not by PostgreSQL, whose parser treats `src/auth/login.ts` as one word and depends on the
 * database's locale for letters. Same as in the local search: sequences of letters and digits, without accents and
 * case.
 */

const WORD = /[\p{L}\p{N}]+/gu;
const ACCENTS = /\p{M}+/gu;
/** Highest position in PostgreSQL. */
const MOST_WORDS = 16_000;
/** Size of a `tsvector`, which is limited to a megabyte. */
const MOST_BYTES = 600_000;
const BYTES_A_WORD = 8;
/** Leaves room for other texts after a long one. */
const MOST_OF_A_TEXT = 40_000;
/** Longer sequences aren't words. */
const LONGEST_WORD = 64;

/** The words of a text, in order. */
export function wordsIn(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  return (plain.match(WORD) ?? []).map((word) => [...word].slice(0, LONGEST_WORD).join(''));
}

/** All searchable text of a record, in PostgreSQL's `tsvector` syntax. */
export function searchable(texts: Iterable<string>): string {
  const places = new Map<string, number[]>();
  let place = 0;
  let bytes = 0;
  for (const text of texts) {
    for (const word of wordsIn(text.slice(0, MOST_OF_A_TEXT))) {
      place += 1;
      bytes += BYTES_A_WORD + Buffer.byteLength(word);
      if (place > MOST_WORDS || bytes > MOST_BYTES) return literal(places);
      const known = places.get(word);
      if (known) known.push(place);
      else places.set(word, [place]);
    }
    // A phrase must not span two texts.
    place += 1;
  }
  return literal(places);
}

function literal(places: ReadonlyMap<string, readonly number[]>): string {
  return [...places].map(([word, at]) => `'${word}':${at.slice(0, 200).join(',')}`).join(' ');
}
