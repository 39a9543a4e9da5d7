import { spend } from './steps.ts';

/** One part of a pattern: any text, any one sign, one of a class, or the sign itself. */
export type Sign = typeof STAR | typeof ANY | CharClass | string;

export const STAR: unique symbol = Symbol('*');
export const ANY: unique symbol = Symbol('?');

export interface CharClass {
  readonly negated: boolean;
  has(sign: string): boolean;
}

/**
 * Does all of the text match? After a mismatch only the last star is tried again, since whatever an earlier one could
 * take instead, the last can take as well: so the cost is at most the product of the lengths, never exponential.
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

/** The signs as a test, without going through the text where the pattern has one star or none. */
export function compileSigns(signs: readonly Sign[]): (text: string) => boolean {
  const star = signs.indexOf(STAR);
  if (signs.some((sign) => sign === ANY || typeof sign === 'object') || signs.lastIndexOf(STAR) !== star)
    return (text) => signsMatch(signs, text);
  if (star < 0) {
    const whole = signs.join('');
    return (text) => text === whole;
  }
  const start = signs.slice(0, star).join('');
  const end = signs.slice(star + 1).join('');
  const least = start.length + end.length;
  return (text) => text.length >= least && text.startsWith(start) && text.endsWith(end);
}
