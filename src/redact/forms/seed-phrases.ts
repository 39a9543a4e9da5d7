import { SPACE } from '../text/characters.ts';
import { Findings, NONE } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';
import { indexOfWord, LONGEST_WORD, SHORTEST_WORD, WORDS_IN_LIST } from './phrase-index.ts';

const LABEL = '[redacted:seed-phrase]';
const FEWEST_WORDS = 12;
/** So many words, each with one character behind it. */
const SHORTEST = FEWEST_WORDS * (SHORTEST_WORD + 1) - 1;
/** `" |\n| 12. | "`. */
const LONGEST_GAP = 24;
/** Of the fewest words: lists of the parts of a program repeat theirs, and lists of words are in order. */
const FEWEST_DIFFERENT = 9;
const FEWEST_OUT_OF_ORDER = 2;

const BACKSLASH = 92;
const COLON = 58;

const OTHER = 0;
const LETTER = 1;
/** Between words: a digit, a sign, and required signs. */
const NUMBER = 2;
const SIGN = 3;
const BREAK = 4;

const KINDS = new Uint8Array(65_536);
for (let code = 97; code <= 122; code++) KINDS[code] = KINDS[code - 32] = LETTER;
for (const digit of '0123456789') KINDS[digit.charCodeAt(0)] = NUMBER;
for (const sign of '.:;-()*#>') KINDS[sign.charCodeAt(0)] = SIGN;
for (const sign of ' \t\r\n,|"\'`\\') KINDS[sign.charCodeAt(0)] = BREAK;

/**
 * Words that restore a wallet: twelve or more of the BIP-39 list in a row, on a line, on numbered lines or in an array.
 * Their checksum is not asked for. In 126 MB of programs and prose there were none that were not a phrase, and a phrase
 * with a slip in it, or of a wallet with a checksum of its own, is as secret.
 *
 * A phrase that begins behind a place has to go on at the place that is the shortest phrase further on. What stands
 * there is looked at first, and mostly is the end of it, so that few characters are looked at at all.
 */
export function findSeedPhrases(reader: Reader): Findings {
  const { codes, length } = reader;
  let found: Findings | null = null;
  let from = 0;
  while (from + SHORTEST <= length) {
    const probe = from + SHORTEST - 1;
    const isOther = KINDS[codes[probe] ?? 0] === OTHER;
    const behind = isOther ? probe + 1 : behindLastOther(reader, from, probe);
    if (behind > from) {
      from = behind;
      continue;
    }
    const run = new Run(codes, from, length);
    reader.steps += run.next - from;
    if (run.isPhrase) {
      found ??= new Findings();
      const [start, end] = run.hidden(reader);
      found.add(start, end, LABEL);
    }
    from = run.next;
  }
  return found ?? NONE;
}

/** Behind the last thing between these places that is not part of a phrase; the first of them if there is none. */
function behindLastOther(reader: Reader, from: number, probe: number): number {
  const { codes } = reader;
  let at = probe;
  while (at - probe <= LONGEST_WORD && KINDS[codes[at + 1] ?? 0] === LETTER) at++;
  // Where the gap ends that is being read.
  let word = -1;
  const last = at;
  while (at >= from) {
    const kind = KINDS[codes[at] ?? 0] ?? OTHER;
    if (kind === OTHER) break;
    if (kind !== LETTER) {
      at -= 1;
      continue;
    }
    const end = at + 1;
    while (at >= from && end - at <= LONGEST_WORD + 2 && KINDS[codes[at] ?? 0] === LETTER) at--;
    const start = behindEscape(codes, at + 1);
    if (start < end) {
      if (indexOfWord(codes, start, end) < 0) {
        at = end - 1;
        break;
      }
      if (word >= 0 && !isGap(codes, end, word)) {
        at = word - 1;
        break;
      }
      word = start;
    }
  }
  reader.steps += last - at + 1;
  return Math.max(from, at + 1);
}

/** In serialised text the letter of an escape sticks to the word behind it. */
function behindEscape(codes: Uint16Array, start: number): number {
  const letter = codes[start] ?? 0;
  const isEscape = codes[start - 1] === BACKSLASH && (letter === 110 || letter === 114 || letter === 116);
  return isEscape ? start + 1 : start;
}

/** True if two words with this gap can belong to one phrase: not in `border-left` and `LINK1, LINK2`. */
function isGap(codes: Uint16Array, from: number, to: number): boolean {
  if (to - from > LONGEST_GAP || KINDS[codes[from] ?? 0] === NUMBER || KINDS[codes[to - 1] ?? 0] === NUMBER)
    return false;
  let hasBreak = false;
  for (let at = from; at < to; at++) {
    const kind = KINDS[codes[at] ?? 0];
    if (kind === BREAK) hasBreak = true;
    // Before the colon in JSON stands a name.
    else if (codes[at] === COLON && KINDS[codes[at - 1] ?? 0] !== NUMBER) return false;
  }
  return hasBreak;
}

/** As many words of the list as follow each other from some place on. */
class Run {
  /** Their beginnings and ends in turn. */
  private readonly places: number[] = [];
  private readonly indices: number[] = [];
  /** Where to read on. */
  readonly next: number;

  constructor(codes: Uint16Array, from: number, length: number) {
    let at = from;
    let end = -1;
    for (;;) {
      while (at < length && (KINDS[codes[at] ?? 0] ?? OTHER) > LETTER) at++;
      const start = behindEscape(codes, at);
      let last = at;
      while (last < length && last - at <= LONGEST_WORD + 1 && KINDS[codes[last] ?? 0] === LETTER) last++;
      if (last === at) break;
      at = last;
      if (start === last) continue;
      const index = indexOfWord(codes, start, last);
      if (index < 0) break;
      if (end >= 0 && !isGap(codes, end, start)) {
        at = start;
        break;
      }
      this.places.push(start, last);
      this.indices.push(index);
      end = last;
    }
    this.next = Math.max(at, from + 1);
  }

  /** True if twelve of them in a row are different and unsorted. */
  get isPhrase(): boolean {
    const { indices } = this;
    if (indices.length < FEWEST_WORDS) return false;
    const seen = new Uint8Array(WORDS_IN_LIST);
    let different = 0;
    let falls = 0;
    for (let at = 0; at < indices.length; at++) {
      const index = indices[at] ?? 0;
      if (seen[index] === 0) different += 1;
      seen[index] = (seen[index] ?? 0) + 1;
      if (isFall(indices, at)) falls += 1;
      const first = at - FEWEST_WORDS;
      if (first >= 0) {
        const gone = indices[first] ?? 0;
        seen[gone] = (seen[gone] ?? 0) - 1;
        if (seen[gone] === 0) different -= 1;
        if (isFall(indices, first + 1)) falls -= 1;
      }
      if (at + 1 >= FEWEST_WORDS && different >= FEWEST_DIFFERENT && falls >= FEWEST_OUT_OF_ORDER)
        return true;
    }
    return false;
  }

  /** The range to remove, so that JSON stays JSON. */
  hidden(reader: Reader): readonly [start: number, end: number] {
    const { places } = this;
    let first = 0;
    let last = places.length - 2;
    // A value of JSON, and not a word of a string.
    while (first < last && isBare(reader, places[first] ?? 0, places[first + 1] ?? 0)) first += 2;
    while (last > first && isBare(reader, places[last] ?? 0, places[last + 1] ?? 0)) last -= 2;
    // The last of them are the name of the next value: they stand behind the quote that opens it.
    if (isName(reader, places[last + 1] ?? 0)) {
      while (last > first && !hasQuote(reader, places[last - 1] ?? 0, places[last] ?? 0)) last -= 2;
      last = Math.max(first, last - 2);
    }
    return [places[first] ?? 0, places[last + 1] ?? 0];
  }
}

/** True if the word at this index sorts before its predecessor. */
const isFall = (indices: readonly number[], at: number) =>
  at > 0 && (indices[at] ?? 0) < (indices[at - 1] ?? 0);

/** `true` and `false` of JSON, which are words of the list too. */
function isBare(reader: Reader, start: number, end: number): boolean {
  if (!reader.isJson || !(reader.startsWith('true', start) || reader.startsWith('false', start)))
    return false;
  let before = start - 1;
  while (start - before <= LONGEST_GAP && (reader.bits(before) & SPACE) !== 0) before--;
  const behind = reader.run(end, SPACE, Math.min(reader.length, end + LONGEST_GAP));
  return '[,:'.includes(reader.slice(before, before + 1)) && ',]}'.includes(reader.slice(behind, behind + 1));
}

/** True if a quote and a colon follow. */
function isName(reader: Reader, end: number): boolean {
  const quote = reader.quoteAt(end);
  return quote >= 0 && reader.code(reader.skipBlank(quote)) === COLON;
}

function hasQuote(reader: Reader, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (reader.quoteAt(at) >= 0) return true;
  return false;
}
