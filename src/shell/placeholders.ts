import { UNKNOWN } from './analysis.ts';

// An unknown piece of text is one private-use character. `UNKNOWN` means only that; other marks name the origin of the
// text, so string operations carry the origin along.

/** Prompts and icon fonts rarely use these. */
const FIRST = 0xe400;
/** The last mark stands for all origins beyond the limit. */
const MANY = 0xe5ef;
export const MAX_MARKS: number = MANY - FIRST;

/** A name that matches a pattern or a search: which one is unknown, but the pattern is known. */
const FIRST_NAMES = 0xe600;
const LAST_NAMES = 0xe6ff;

const ANY = /[\uE000\uE400-\uE5EF\uE600-\uE6FF]/;
const EVERY = /[\uE000\uE400-\uE5EF\uE600-\uE6FF]/g;
const ONLY = /^[\uE000\uE400-\uE5EF\uE600-\uE6FF]+$/;
const NAMES = /[\uE600-\uE6FF]/;

export function hasUnknown(text: string): boolean {
  return ANY.test(text);
}

/** True if nothing of the text is known. */
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

/** The origin index of a mark, or null for all origins. */
export function indexOfMark(mark: string): number | null {
  const code = mark.charCodeAt(0);
  return code === MANY ? null : code - FIRST;
}

const FEW = 16;

/** The distinct marks in the texts. */
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

/** The union of two mark strings. Usually a directory gets the same marks again. */
export function withMarks(marks: string, others: string): string {
  return marks.includes(others) ? marks : [...new Set(marks + others)].join('');
}

/** Unknown text with the origins of the given one. */
export function unknownOf(text: string): string {
  return text !== '' && namesIn(text) === text ? text : madeOf(text);
}

/** Unknown text made of several texts or of a part of one. A name mark does not survive this. */
export function madeOf(...texts: readonly string[]): string {
  const names = namesIn(...texts);
  return (names === '' ? '' : UNKNOWN + names) + marksIn(...texts) || UNKNOWN;
}

/** The mark of the names with this index. All beyond the limit share the last one. */
export function namesMark(index: number): string {
  return String.fromCharCode(Math.min(FIRST_NAMES + index, LAST_NAMES));
}

/** The first name mark in the texts, or an empty string. */
export function namesIn(...texts: readonly string[]): string {
  for (const text of texts) {
    const found = NAMES.exec(text);
    if (found) return found[0];
  }
  return '';
}

const REPEATED = /([\uE000\uE400-\uE5EF\uE600-\uE6FF])\1+/g;

/** Merges adjacent unknown pieces of one origin. */
export function collapsed(text: string): string {
  return ANY.test(text) ? text.replace(REPEATED, '$1') : text;
}
