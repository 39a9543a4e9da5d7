/*
 * Words are made here and not by PostgreSQL, whose parser takes `src/auth/login.ts` for one word, and letters for what the
 * locale of the database says. As in the local search: letters and digits in a row, without accents and case.
 */

const WORD = /[\p{L}\p{N}]+/gu;
const ACCENTS = /\p{M}+/gu;
/** PostgreSQL counts no further. */
const MOST_WORDS = 16_000;
/** Of a `tsvector`: it takes a megabyte. */
const MOST_BYTES = 600_000;
const BYTES_A_WORD = 8;
/** So that one long text leaves room for others. */
const MOST_OF_A_TEXT = 40_000;
/** Longer ones are not words. */
const LONGEST_WORD = 64;

/** The words of a text, in its order. */
export function wordsIn(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  return (plain.match(WORD) ?? []).map((word) => [...word].slice(0, LONGEST_WORD).join(''));
}

/** All that can be found of a record, as PostgreSQL reads a `tsvector`. */
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
    // Words of two texts do not stand together.
    place += 1;
  }
  return literal(places);
}

function literal(places: ReadonlyMap<string, readonly number[]>): string {
  return [...places].map(([word, at]) => `'${word}':${at.slice(0, 200).join(',')}`).join(' ');
}
