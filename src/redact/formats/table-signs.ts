import { BLANK, JOINT, QUOTE, WORD } from '../text/characters.ts';
import type { Reader } from '../text/reader.ts';

export const PIPE = 124;
const TAB = 9;
const BACKSLASH = 92;
const SMALL_T = 116;
const STAR = 42;
/** Maximum distance of a header cell from its separator. */
const LONGEST_GAP = 100;

/** Separators of table columns: `|`, `,`, `;` and tabs. */
const isColumnSign = (code: number) => code === PIPE || code === 44 || code === 59 || code === TAB;

/** Behind the sign between columns that stands here, a tab also as an escape; -1 for another character. */
function behindSign(reader: Reader, sign: number, at: number): number {
  const code = reader.code(at);
  if (code === sign) return at + 1;
  if (sign !== TAB || code !== BACKSLASH) return -1;
  const letter = reader.backslashes(at);
  return reader.code(letter) === SMALL_T ? letter + 1 : -1;
}

/** The next sign between these places, as where it begins and ends; null if there is none. */
export function nextSign(
  reader: Reader,
  sign: number,
  from: number,
  to: number,
): { readonly at: number; readonly end: number } | null {
  for (let at = from; at < to; at++) {
    const end = behindSign(reader, sign, at);
    if (end < 0) continue;
    reader.steps += at - from + 1;
    return { at, end };
  }
  reader.steps += to - from;
  return null;
}

export function countSigns(reader: Reader, sign: number, from: number, to: number): number {
  let count = 0;
  for (let next = nextSign(reader, sign, from, to); next !== null; ) {
    count += 1;
    next = nextSign(reader, sign, next.end, to);
  }
  return count;
}

/** A blank, or a star of `**name**`. */
const isAroundName = (reader: Reader, at: number) =>
  ((reader.bits(at) & BLANK) !== 0 && reader.code(at) !== TAB) || reader.code(at) === STAR;

/** The sign right of a name that ends here, 0 for none, and where it stands. */
export function signBehind(reader: Reader, end: number): { readonly sign: number; readonly at: number } {
  let at = end;
  const limit = Math.min(reader.length, end + LONGEST_GAP);
  while (at < limit) {
    const quote = reader.quoteAt(at);
    if (quote >= 0) at = quote;
    else if (isAroundName(reader, at)) at += 1;
    else break;
  }
  const code = reader.code(at);
  if (isColumnSign(code)) return { sign: code, at };
  return { sign: code === BACKSLASH && behindSign(reader, TAB, at) >= 0 ? TAB : 0, at };
}

/** The same left of a name that starts here. */
export function signBefore(reader: Reader, start: number): { readonly sign: number; readonly at: number } {
  let at = start - 1;
  const limit = Math.max(0, start - LONGEST_GAP);
  while (at >= limit) {
    const isQuote = (reader.bits(at) & QUOTE) !== 0;
    // A quote in JSON has backslashes before it.
    const isEscape =
      reader.code(at) === BACKSLASH &&
      ((reader.bits(at + 1) & QUOTE) !== 0 || reader.code(at + 1) === BACKSLASH);
    if (!isQuote && !isEscape && !isAroundName(reader, at)) break;
    at -= 1;
  }
  const code = reader.code(at);
  if (isColumnSign(code)) return { sign: code, at };
  return { sign: code === SMALL_T && reader.code(at - 1) === BACKSLASH ? TAB : 0, at };
}

const LONGEST_CELL = 40;

/** Where the other words of a cell of Markdown begin that stand before this place; the place itself if there are none. */
export function cellStart(reader: Reader, start: number): number {
  if (reader.code(start - 1) !== 32) return start;
  let at = start - 1;
  const limit = Math.max(0, start - LONGEST_CELL);
  while (at > limit && ((reader.bits(at) & (WORD | JOINT)) !== 0 || reader.code(at) === 32)) at--;
  reader.steps += start - at;
  at = reader.run(at + 1, BLANK, start);
  return signBefore(reader, at).sign === PIPE ? at : start;
}
