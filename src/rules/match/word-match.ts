import { remember } from '../../platform/bounded.ts';
import { MAX_ALTERNATIVES, tooManyAlternatives } from './braces.ts';
import { ANY, compileSigns, type Sign, STAR } from './signs.ts';

/** A pattern for words: `*` matches anything, `?` one character, `{a,b}` either; everything else is literal. */
export type WordMatch = (word: string) => boolean;

/** Globs without a special meaning of slashes and dots: for names, hosts, branches and arguments. */
export const wordMatch: (pattern: string) => WordMatch = remember(
  (pattern) => (/[*?{]/.test(pattern) ? globMatch(pattern) : (word) => word === pattern),
  5_000,
);

function globMatch(pattern: string): WordMatch {
  if (pattern === '*') return () => true;
  const tests = signsOf(pattern).map(compileSigns);
  const [only] = tests;
  return tests.length === 1 && only ? only : (word) => tests.some((test) => test(word));
}

/** One pattern for each combination of brace alternatives, where only commas are special. */
function signsOf(pattern: string): readonly (readonly Sign[])[] {
  let rows: (readonly Sign[])[] = [[]];
  for (const [part] of pattern.matchAll(/\*+|\?|\{[^{}]*\}|[^*?{]+|\{/g)) {
    const choices = choicesOf(part);
    if (rows.length * choices.length > MAX_ALTERNATIVES) throw new Error(tooManyAlternatives(pattern));
    rows = rows.flatMap((row) => choices.map((choice) => [...row, ...choice]));
  }
  return rows;
}

function choicesOf(part: string): readonly (readonly Sign[])[] {
  if (part.startsWith('*')) return [[STAR]];
  if (part === '?') return [[ANY]];
  if (part.startsWith('{') && part.endsWith('}')) {
    return part
      .slice(1, -1)
      .split(',')
      .map((one) => one.split(''));
  }
  return [part.split('')];
}

/** One text or several. */
export function listed(value: string | readonly string[]): readonly string[];
export function listed(value: string | readonly string[] | undefined): readonly string[] | null;
export function listed(value: string | readonly string[] | undefined): readonly string[] | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? [value] : value;
}
