import { CLASSES, DIGIT, LOWER, TOKEN, UPPER } from '../text/characters.ts';
import { Findings, NONE } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';
import { publicBlocks } from './blocks.ts';
import { isPublicToken } from './public-tokens.ts';

/** Beyond this it is data: keys are shorter, and long ones have a header. */
const LONGEST_SECRET = 200;
const SHORTEST_SECRET = 20;
/** Half the value of a random text of this kind; names have a quarter of it. */
const MOST_STEPS_IN_NAMES = 0.4;
/** Of a name, more is in words. */
const MOST_IN_WORDS = 0.65;
const LEAST_BITS = 3.6;

const EQUALS = 61;
/** Base64 ends with at most two `=`. */
const MOST_PADDING = 2;
const BACKSLASH = 92;

/**
 * Every run of characters that is as random as only a key is. By hand, because this is done for every byte that is
 * stored: a regular expression takes ten times as long.
 */
export function findRandom(reader: Reader): Findings {
  const { length } = reader;
  let found: Findings | null = null;
  let isPublic: ((at: number) => boolean) | null = null;
  let start = 0;
  while (start + SHORTEST_SECRET <= length) {
    // Read from its end, most of a text is passed over.
    const other = lastOther(reader.codes, start, start + SHORTEST_SECRET);
    if (other >= 0) {
      start = other + 1;
      continue;
    }
    const at = endOfToken(reader, start + SHORTEST_SECRET);
    const first = behindEscape(reader, start);
    if (isRandom(reader, first, at)) {
      isPublic ??= insideOf(publicBlocks(reader));
      if (!isPublic(first)) {
        found ??= new Findings();
        found.add(first, behindPadding(reader, at), '[redacted:random]');
      }
    }
    start = at + 1;
  }
  reader.steps += 2 * length;
  return found ?? NONE;
}

/** The last character between two places that is of no token, or -1. */
function lastOther(codes: Uint16Array, start: number, end: number): number {
  let at = end - 1;
  while (at >= start && isOfToken(codes[at] ?? 0)) at--;
  return at < start ? -1 : at;
}

function endOfToken({ codes, length }: Reader, from: number): number {
  let at = from;
  while (at < length && isOfToken(codes[at] ?? 0)) at++;
  return at;
}

const isOfToken = (code: number) => ((CLASSES[code] ?? 0) & TOKEN) !== 0 && code !== EQUALS;

function behindPadding(reader: Reader, at: number): number {
  return reader.code(at) === EQUALS ? reader.run(at, TOKEN, Math.min(reader.length, at + MOST_PADDING)) : at;
}

/** True if a position is in one of the blocks. Positions must only grow. */
function insideOf(
  blocks: readonly { readonly start: number; readonly end: number }[],
): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while (next < blocks.length && (blocks[next]?.end ?? 0) <= at) next += 1;
    return at >= (blocks[next]?.start ?? Number.POSITIVE_INFINITY);
  };
}

/** In serialised text the letter of an escape sticks to the word behind it. */
function behindEscape(reader: Reader, start: number): number {
  if (reader.code(start - 1) !== BACKSLASH) return start;
  return reader.code(start) === 117 ? start + 5 : start + 1;
}

function isRandom(reader: Reader, start: number, end: number): boolean {
  const length = end - start;
  if (length < SHORTEST_SECRET || length > LONGEST_SECRET) return false;
  reader.steps += length;
  if (!isMixed(reader.codes, start, end) || entropy(reader.codes, start, end) < LEAST_BITS) return false;
  return !isPublicToken(reader, start, end);
}

/** Letters of both kinds and digits, in no order that names have. */
function isMixed(codes: Uint16Array, start: number, end: number): boolean {
  let seen = 0;
  let changes = 0;
  let previous = -1;
  let small = 0;
  let inWords = 0;
  for (let at = start; at < end; at++) {
    const kind = (CLASSES[codes[at] ?? 0] ?? 0) & (DIGIT | UPPER | LOWER);
    seen |= kind;
    if (kind !== previous && previous >= 0) changes += 1;
    // `Fixed`, `base`: a capital or none, and small letters.
    small = kind === LOWER ? small + 1 : 0;
    if (small === 2) inWords += previousCapital(codes, at - 2) ? 3 : 2;
    else if (small > 2) inWords += 1;
    previous = kind;
  }
  const length = end - start;
  return (
    seen === (DIGIT | UPPER | LOWER) &&
    changes > (length - 1) * MOST_STEPS_IN_NAMES &&
    inWords < length * MOST_IN_WORDS
  );
}

function previousCapital(codes: Uint16Array, at: number): boolean {
  return at >= 0 && ((CLASSES[codes[at] ?? 0] ?? 0) & UPPER) !== 0;
}

const counts = new Uint8Array(128);
/** What a character adds to the sum, by its count in a text of this length. */
const LOG2 = Float64Array.from({ length: LONGEST_SECRET + 1 }, (_, count) => Math.log2(Math.max(count, 1)));

/** Shannon's measure, per character. */
function entropy(codes: Uint16Array, start: number, end: number): number {
  counts.fill(0);
  for (let at = start; at < end; at++) {
    const code = codes[at] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let sum = 0;
  for (let at = start; at < end; at++) sum += LOG2[counts[codes[at] ?? 0] ?? 0] ?? 0;
  return (LOG2[end - start] ?? 0) - sum / (end - start);
}
