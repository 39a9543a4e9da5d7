import { spend } from './steps.ts';

/** One part of a pattern: any text, any character, a class, or a literal character. */
export type Sign = typeof STAR | typeof ANY | CharClass | string;

export const STAR: unique symbol = Symbol('*');
export const ANY: unique symbol = Symbol('?');

export interface CharClass {
  readonly negated: boolean;
  has(sign: string): boolean;
}

/**
 * True if all of the text matches. After a mismatch only the last star is retried, because it can take whatever an
 * earlier one could. So the cost is at most the product of the lengths, never exponential.
 */
function signsMatch(signs: readonly Sign[], text: string): boolean {
  let at = 0;
  let sign = 0;
  let star = -1;
  let taken = 0;
  let steps = 0;
  while (at < text.length) {
    steps += 1;
    const wanted = signs[sign];
    if (wanted === STAR) {
      star = sign;
      taken = at;
      sign += 1;
    } else if (wanted !== undefined && accepts(wanted, text.charAt(at))) {
      sign += 1;
      at += 1;
    } else if (star >= 0) {
      taken += 1;
      at = taken;
      sign = star + 1;
    } else break;
  }
  spend(steps);
  if (at < text.length) return false;
  while (signs[sign] === STAR) sign += 1;
  return sign === signs.length;
}

function accepts(wanted: Exclude<Sign, typeof STAR>, sign: string): boolean {
  if (wanted === ANY) return true;
  return typeof wanted === 'string' ? wanted === sign : wanted.has(sign) !== wanted.negated;
}

/** Compiles to a test that needs no character loop if stars are the only wildcards. */
export function compileSigns(signs: readonly Sign[]): (text: string) => boolean {
  const texts = textsBetweenStars(signs);
  if (texts === null) return (text) => signsMatch(signs, text);
  const [start = '', ...others] = texts;
  const end = others.pop();
  if (end === undefined) return (text) => text === start;
  const least = texts.join('').length;
  const isAround = (text: string) => text.length >= least && text.startsWith(start) && text.endsWith(end);
  if (others.length === 0) return isAround;
  return (text) => {
    if (!isAround(text)) return false;
    spend(text.length);
    return inOrder(others, text.slice(start.length, text.length - end.length));
  };
}

/** The literal texts around the stars; null if the pattern has other wildcards. */
function textsBetweenStars(signs: readonly Sign[]): readonly string[] | null {
  const texts = [''];
  for (const sign of signs) {
    if (sign === STAR) texts.push('');
    else if (typeof sign === 'string') texts.push((texts.pop() ?? '') + sign);
    else return null;
  }
  return texts;
}

/** Taking each as early as possible leaves the most room for the rest. */
function inOrder(wanted: readonly string[], text: string): boolean {
  let at = 0;
  for (const one of wanted) {
    const found = text.indexOf(one, at);
    if (found < 0) return false;
    at = found + one.length;
  }
  return true;
}
