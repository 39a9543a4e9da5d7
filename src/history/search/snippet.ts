import { oneLine } from '../../model/text.ts';
import type { Match, Matcher } from './score.ts';

/** A piece of a text around what was found. */
export interface Snippet {
  readonly text: string;
  /** Where the words that were searched for begin and end in it. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

const BEFORE = 60;
const LENGTH = 200;

/** The piece that has the most different words of the search. */
export function snippetOf(whole: string, matcher: Matcher): Snippet {
  const text = oneLine(whole);
  const { matches } = matcher(text);
  const start = Math.max(0, bestStart(matches) - BEFORE);
  const piece = text.slice(start, start + LENGTH);
  const prefix = start > 0 ? '…' : '';
  const marks = matches
    .filter((match) => match.start >= start && match.end <= start + LENGTH)
    .map(({ start: from, end }) => [from - start + prefix.length, end - start + prefix.length] as const);
  return {
    text: `${prefix}${piece}${start + LENGTH < text.length ? '…' : ''}`,
    marks: disjoint(marks),
  };
}

function bestStart(matches: readonly Match[]): number {
  let best = { at: 0, terms: 0 };
  for (const { start } of matches) {
    const near = matches.filter((match) => match.start >= start && match.end <= start + LENGTH - BEFORE);
    const terms = new Set(near.map(({ term }) => term)).size;
    if (terms > best.terms) best = { at: start, terms };
  }
  return best.at;
}

function disjoint(marks: Snippet['marks']): Snippet['marks'] {
  const kept: (readonly [number, number])[] = [];
  for (const mark of [...marks].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (mark[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(mark);
  }
  return kept;
}
