import { LONGEST_PHRASE, synonymsOf } from './synonyms.ts';
import { isFaint, isSilent, partsOfNames, wordsOf } from './words.ts';

/** Another way to say a term. */
interface Other {
  readonly words: readonly string[];
  readonly stems: readonly string[];
  /** How much of the term's worth it has. */
  readonly quality: number;
}

/** A word that is looked for, or several that stand together. */
export interface Term {
  /** As it was typed. */
  readonly said: string;
  readonly words: readonly string[];
  readonly stems: readonly string[];
  /** Typed with a star: any word that begins like this. */
  readonly isBeginning: boolean;
  /** Typed in quotes: what does not have it is not found. */
  readonly isQuoted: boolean;
  readonly weight: number;
  /** Words that begin with it are found too, and count less; null where that would be too many. */
  readonly beginning: string | null;
  readonly others: readonly Other[];
}

const FAINT = 0.25;
/** `rateLimit` for `rate limit`, and the other way round. */
const SAME = 0.9;
const SYNONYM = 0.5;
export const BEGINNING = 0.6;
const SHORTEST_BEGINNING = 4;
const MOST_OTHERS = 30;
/** What is pasted may be long, and each term is a search of its own. */
const MOST_TERMS = 32;

/** What was typed between blanks, or in quotes. */
interface Chunk {
  readonly said: string;
  readonly words: readonly string[];
  readonly isBeginning: boolean;
  readonly isQuoted: boolean;
}

/** Words, "several words" in quotes, and beginnings of words*. Words that say nothing are left out where others are left. */
export function termsOf(text: string): readonly Term[] {
  const chunks = chunksOf(text);
  const said = chunks.map((chunk) => chunk.isQuoted || !chunk.words.every(isSilent));
  const kept = said.some(Boolean) ? said : said.map(() => true);
  const seen = new Set<string>();
  return chunks.flatMap((chunk, at) => {
    const key = `${chunk.isQuoted} ${chunk.words.join(' ').toLowerCase()}`;
    if (!kept[at] || seen.size === MOST_TERMS || seen.has(key)) return [];
    seen.add(key);
    return [termOf(chunk, othersOf(chunks, at))];
  });
}

/** Words, "several words" in quotes, and beginnings of words*, as they were typed. */
export function chunksOf(text: string): readonly Chunk[] {
  return [...text.matchAll(/"([^"]+)"|([^\s"]+)/g)]
    .map(([, quoted, word = '']): Chunk => {
      const said = quoted ?? word.replace(/\*+$/, '');
      return {
        said,
        words: wordsOf(said).map(({ start, end }) => said.slice(start, end)),
        isBeginning: quoted === undefined && word.endsWith('*'),
        isQuoted: quoted !== undefined,
      };
    })
    .filter(({ words }) => words.length > 0);
}

function termOf({ said, words, isBeginning, isQuoted }: Chunk, others: readonly Other[]): Term {
  const [first = ''] = words;
  const isFree = words.length === 1 && !isBeginning && !isQuoted;
  return {
    said,
    words,
    stems: stemsOf(words),
    isBeginning,
    isQuoted,
    weight: words.every((word) => isFaint(word) || isSilent(word)) ? FAINT : 1,
    beginning: isFree && first.length >= SHORTEST_BEGINNING && !isFaint(first) ? first.toLowerCase() : null,
    others,
  };
}

const stemsOf = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) => wordsOf(word).map(({ stem }) => stem));

/** What else may stand where this chunk is meant: by itself, or together with its neighbours. */
function othersOf(chunks: readonly Chunk[], at: number): readonly Other[] {
  const chunk = chunks[at];
  if (chunk === undefined || chunk.isQuoted || chunk.isBeginning) return [];
  const same = [...partsOfNames(chunk.said), ...(chunk.words.length > 1 ? [chunk.words.join('')] : [])];
  const synonyms: string[] = [];
  for (let length = 1; length <= LONGEST_PHRASE; length += 1) {
    for (let from = at - length + 1; from <= at; from += 1) {
      const words = wordsFrom(chunks, from, length);
      if (words === null) continue;
      synonyms.push(...synonymsOf(words));
      if (length === 2) same.push(words.join(''));
    }
  }
  const others = new Map<string, Other>();
  const add = (phrase: string, quality: number) => {
    const words = phrase.split(/[\s-]+/);
    const stems = stemsOf(words);
    const key = stems.join(' ');
    if (key !== stemsOf(chunk.words).join(' ') && !others.has(key))
      others.set(key, { words, stems, quality });
  };
  for (const phrase of same) add(phrase, SAME);
  for (const phrase of synonyms) add(phrase, SYNONYM);
  return [...others.values()].slice(0, MOST_OTHERS);
}

/** Null where one of them is missing, or stands for itself. */
function wordsFrom(chunks: readonly Chunk[], from: number, length: number): readonly string[] | null {
  const some = from < 0 ? [] : chunks.slice(from, from + length);
  if (some.length < length || some.some(({ isQuoted, isBeginning }) => isQuoted || isBeginning)) return null;
  return some.flatMap(({ words }) => words);
}
