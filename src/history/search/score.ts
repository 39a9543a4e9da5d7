import { BEGINNING, type Term } from './query.ts';
import { FIELDS, type Field } from './turn-document.ts';
import { wordsOf } from './words.ts';

/** How much a word counts by the part of a turn that it is in. */
const WEIGHTS: Readonly<Record<Field, number>> = {
  prompt: 3,
  outcome: 2,
  files: 1.5,
  commands: 1,
  talk: 0.7,
  parts: 0.7,
};
/** How many words that part of a usual turn has: what is long has any word. */
const USUAL: Readonly<Record<Field, number>> = {
  prompt: 20,
  outcome: 40,
  files: 15,
  commands: 40,
  talk: 100,
  parts: 20,
};
/** What more of the same word counts, and how much the length does. */
const SATURATION = 1.2;
const LENGTH = 0.4;
/** How much it adds that words stand beside each other as in the query. */
const TOGETHER = 0.35;

/** What a turn has of each term. */
interface TermScore {
  readonly score: number;
  /** 1 where it has the term itself, less where it has other words for it, 0 where it has none. */
  readonly quality: number;
  /** The parts where it is, as itself if it is anywhere. */
  readonly fields: readonly Field[];
}

export interface TurnScore {
  readonly terms: readonly TermScore[];
  /** From 1 on; more where words stand together. */
  readonly together: number;
}

/** A term, found in a text. */
export interface Match {
  readonly term: number;
  readonly quality: number;
  /** Its first word in the text, and the place of its last. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

export type Matcher = (text: string) => { readonly matches: readonly Match[]; readonly words: number };

interface Way {
  readonly term: number;
  readonly stems: readonly string[];
  readonly quality: number;
}

/** Finds terms in texts as the index does. */
export function matcherOf(terms: readonly Term[]): Matcher {
  const ways = new Map<string, Way[]>();
  const beginnings: { term: number; beginning: string; quality: number }[] = [];
  terms.forEach(({ stems, others, isBeginning, beginning, words }, term) => {
    for (const way of [{ stems, quality: 1 }, ...others]) {
      const [first = ''] = way.stems;
      const known = ways.get(first) ?? [];
      known.push({ term, stems: way.stems, quality: way.quality });
      ways.set(first, known);
    }
    const [typed = ''] = words;
    if (isBeginning) beginnings.push({ term, beginning: typed.toLowerCase(), quality: 1 });
    else if (beginning !== null) beginnings.push({ term, beginning, quality: BEGINNING });
  });
  return (text) => {
    const words = wordsOf(text);
    const matches: Match[] = [];
    words.forEach(({ stem, start, end }, at) => {
      for (const { term, stems, quality } of ways.get(stem) ?? []) {
        if (!stems.every((one, next) => words[at + next]?.stem === one)) continue;
        matches.push({ term, quality, at, start, end: words[at + stems.length - 1]?.end ?? end });
      }
      const raw = beginnings.length === 0 ? '' : text.slice(start, end).toLowerCase();
      for (const { term, beginning, quality } of beginnings)
        if (raw.startsWith(beginning)) matches.push({ term, quality, at, start, end });
    });
    return { matches, words: words.length };
  };
}

/** How well a turn fits: for each term by how often it is in which part, and how long that part is. */
export function scoreTurn(
  turn: Readonly<Record<Field, string>>,
  matcher: Matcher,
  worth: readonly number[],
): TurnScore {
  const found = worth.map(() => ({ often: 0, quality: 0, fields: [] as Field[] }));
  let together = 0;
  for (const field of FIELDS) {
    const { matches, words } = matcher(turn[field]);
    const length = 1 - LENGTH + (LENGTH * words) / USUAL[field];
    const best = bestAt(matches);
    for (const { term, quality } of best) {
      const one = found[term];
      if (one === undefined) continue;
      one.often += (WEIGHTS[field] * quality) / length;
      if (quality > one.quality) one.fields = [];
      if (quality >= one.quality && !one.fields.includes(field)) one.fields.push(field);
      one.quality = Math.max(one.quality, quality);
    }
    together = Math.max(together, neighbours(best));
  }
  const pairs = Math.max(1, worth.length - 1);
  return {
    terms: found.map(({ often, quality, fields }, term) => ({
      score: ((worth[term] ?? 0) * quality * (SATURATION + 1) * often) / (SATURATION * quality + often || 1),
      quality,
      fields,
    })),
    together: 1 + (TOGETHER * Math.min(together, pairs)) / pairs,
  };
}

/** Each word counts once for each term, as the best that it can be. */
function bestAt(matches: readonly Match[]): readonly Match[] {
  const best = new Map<string, Match>();
  for (const match of matches) {
    const key = `${match.at} ${match.term}`;
    if (match.quality > (best.get(key)?.quality ?? 0)) best.set(key, match);
  }
  return [...best.values()];
}

/** How many pairs of terms stand beside each other in the order of the query. */
function neighbours(matches: readonly Match[]): number {
  const pairs = new Set<number>();
  const exact = matches.filter(({ quality }) => quality === 1);
  for (const { term, at } of exact)
    if (exact.some((next) => next.term === term + 1 && next.at > at && next.at - at <= 2)) pairs.add(term);
  return pairs.size;
}
