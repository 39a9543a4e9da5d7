import { UNKNOWN } from './analysis.ts';

// An unknown piece of text is one private character. `UNKNOWN` says no more than that; the others name where the text
// comes from, so that everything that is done with strings carries it along.

/** Of prompts and icon fonts only few use these. */
const FIRST = 0xe400;
/** The last one stands for everything that has no mark of its own any more. */
const MANY = 0xe5ef;
export const MAX_MARKS: number = MANY - FIRST;

/** A name that a pattern or a search comes to: which one is not known, but which they may be is. */
const FIRST_NAMES = 0xe600;
const LAST_NAMES = 0xe6ff;

const ANY = /[\uE000\uE400-\uE5EF\uE600-\uE6FF]/;
const EVERY = /[\uE000\uE400-\uE5EF\uE600-\uE6FF]/g;
const ONLY = /^[\uE000\uE400-\uE5EF\uE600-\uE6FF]+$/;
const NAMES = /[\uE600-\uE6FF]/;

export function hasUnknown(text: string): boolean {
  return ANY.test(text);
}

/** Nothing of it is known. */
export function isUnknown(text: string): boolean {
  return ONLY.test(text);
}

export function withoutUnknown(text: string, instead = ''): string {
  return text.replace(EVERY, instead);
}

export function firstUnknown(text: string): number {
  return text.search(ANY);
}

export function lastUnknown(text: string): number {
  for (let at = text.length - 1; at >= 0; at--) if (ANY.test(text.charAt(at))) return at;
  return -1;
}

export function markAt(index: number): string {
  return String.fromCharCode(Math.min(FIRST + index, MANY));
}

/** Which origins a mark stands for: an index, or null for all of them. */
export function indexOfMark(mark: string): number | null {
  const code = mark.charCodeAt(0);
  return code === MANY ? null : code - FIRST;
}

const FEW = 16;

/** The marks in some texts, each once. */
export function marksIn(...texts: readonly string[]): string {
  let marks = '';
  // A set is faster for hundreds of marks, which a hostile line may have.
  let many: Set<string> | null = null;
  for (const text of texts) {
    if (!ANY.test(text)) continue;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < FIRST || code > MANY) continue;
      const mark = text.charAt(at);
      if (many?.has(mark) ?? marks.includes(mark)) continue;
      marks += mark;
      if (many) many.add(mark);
      else if (marks.length > FEW) many = new Set(marks);
    }
  }
  return marks;
}

/** Marks, each once, and the further ones of others. A folder mostly gets the same again. */
export function withMarks(marks: string, others: string): string {
  return marks.includes(others) ? marks : [...new Set(marks + others)].join('');
}

/** Text of which nothing is known but where it comes from. */
export function unknownOf(text: string): string {
  return text !== '' && namesIn(text) === text ? text : madeOf(text);
}

/** The same for what is made of several texts, or of a part of one: a name among them is no more what it was. */
export function madeOf(...texts: readonly string[]): string {
  const names = namesIn(...texts);
  return (names === '' ? '' : UNKNOWN + names) + marksIn(...texts) || UNKNOWN;
}

/** The mark of the names with this number; after the last one all share it. */
export function namesMark(index: number): string {
  return String.fromCharCode(Math.min(FIRST_NAMES + index, LAST_NAMES));
}

/** The first mark of names in some texts; empty where there is none. */
export function namesIn(...texts: readonly string[]): string {
  for (const text of texts) {
    const found = NAMES.exec(text);
    if (found) return found[0];
  }
  return '';
}

const REPEATED = /([\uE000\uE400-\uE5EF\uE600-\uE6FF])\1+/g;

/** Several unknown pieces of one origin in a row are one. */
export function collapsed(text: string): string {
  return ANY.test(text) ? text.replace(REPEATED, '$1') : text;
}
