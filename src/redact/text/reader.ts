import { BLANK, CLASSES, codesOf, DELIMITER, JOINT, NEWLINE, QUOTE, SPACE, WORD } from './characters.ts';
import { behindColour, isColourEscape } from './colours.ts';
import { Limits } from './limits.ts';

const BACKSLASH = 92;
const ESCAPE = 27;
const DOUBLE_QUOTE = 34;
const LONGEST_QUOTED = 4_096;
const LONGEST_NAME = 32;

/** The letters of escapes that stand for white space: `\n`, `\t`, `\r`. */
const isSpaceLetter = (code: number) => code === 110 || code === 116 || code === 114;

/**
 * A text, read from left to right, that may be JSON and may have JSON in its strings, and so on: a quote or a line
 * break is then written with backslashes before it. Counts the characters it looks at, so that a test can tell that
 * they are never many times as many as there are.
 */
export class Reader extends Limits {
  readonly text: string;
  readonly length: number;
  /** The same as numbers, which takes a third of the time to read. */
  readonly codes: Uint16Array;
  /** A `"` without a backslash ends a string, whatever other quotes it stands in. */
  readonly isJson: boolean;
  /** The newest run that was asked for, as far as it was read. */
  private knownBits = 0;
  private knownFrom = 0;
  private knownEnd = 0;
  /** Set by `quoteAt`: the quote, and how deep in texts within texts it stands. */
  quote = 0;
  level = 0;

  constructor(text: string) {
    super(text.length);
    this.text = text;
    this.length = text.length;
    this.codes = codesOf(text);
    this.isJson = looksLikeJson(text);
  }

  /** The character's code, -1 beyond the ends. */
  code(at: number): number {
    return at >= 0 && at < this.length ? (this.codes[at] ?? -1) : -1;
  }

  /** What the character is, none beyond the ends. */
  bits(at: number): number {
    return at >= 0 && at < this.length ? (CLASSES[this.codes[at] ?? 0] ?? 0) : 0;
  }

  /** Where the characters with one of these bits end. */
  run(from: number, bits: number, limit: number = this.length): number {
    let at = from;
    while (at < limit && ((CLASSES[this.codes[at] ?? 0] ?? 0) & bits) !== 0) at++;
    this.steps += at - from + 1;
    return at;
  }

  /** The same, for places that are asked about again and again: what was read the time before is not read again. */
  runAgain(from: number, bits: number, limit: number): number {
    const known = bits === this.knownBits && from >= this.knownFrom && from < this.knownEnd;
    if (!known) this.knownFrom = from;
    else if (this.knownEnd >= limit) return limit;
    const end = this.run(known ? this.knownEnd : from, bits, limit);
    this.knownBits = bits;
    this.knownEnd = end;
    return end;
  }

  /** Where the characters without these bits end. */
  until(from: number, bits: number, limit: number = this.length): number {
    let at = from;
    while (at < limit && ((CLASSES[this.codes[at] ?? 0] ?? 0) & bits) === 0) at++;
    this.steps += at - from + 1;
    return at;
  }

  backslashes(from: number): number {
    let at = from;
    while (at < this.length && (this.codes[at] ?? 0) === BACKSLASH) at++;
    this.steps += at - from + 1;
    return at;
  }

  /** The text between two places, as far as there is one. */
  slice(start: number, end: number): string {
    const last = Math.min(end, this.length);
    this.steps += last - start;
    return this.text.slice(start, last);
  }

  /** The next place of a piece of text, or -1. */
  indexOf(piece: string, from: number): number {
    const at = this.text.indexOf(piece, from);
    this.steps += (at < 0 ? this.length : at) - from + 1;
    return at;
  }

  /** The first place of a character between two places, or -1. */
  first(code: number, start: number, end: number): number {
    let at = start;
    while (at < end && (this.codes[at] ?? 0) !== code) at++;
    this.steps += at - start + 1;
    return at < end ? at : -1;
  }

  /** The last place of a character between two places, or -1. */
  last(code: number, start: number, end: number): number {
    let at = end - 1;
    while (at >= start && (this.codes[at] ?? 0) !== code) at--;
    this.steps += end - at;
    return at >= start ? at : -1;
  }

  startsWith(piece: string, at: number): boolean {
    if (at < 0 || at + piece.length > this.length) return false;
    let index = 0;
    while (index < piece.length && this.codes[at + index] === piece.charCodeAt(index)) index++;
    this.steps += index + 1;
    return index === piece.length;
  }

  /** Behind the quote that stands here, if one does; else -1. */
  quoteAt(from: number): number {
    const code = this.code(from);
    if (code !== BACKSLASH) {
      if (code < 0 || ((CLASSES[code] ?? 0) & QUOTE) === 0) return -1;
      this.quote = code;
      this.level = 0;
      return from + 1;
    }
    const at = this.backslashes(from);
    if ((this.bits(at) & QUOTE) === 0) return -1;
    this.quote = this.codes[at] ?? 0;
    this.level = levelOf(at - from);
    return at + 1;
  }

  /** Whether the quote that `quoteAt` found is one of the JSON's own. */
  get isOuterQuote(): boolean {
    return this.isJson && this.level === 0 && this.quote === DOUBLE_QUOTE;
  }

  /**
   * Behind the quote that opens a value here, if one does; else -1. One of the JSON's own opens a value only where one
   * has closed the name before; anywhere else it is the end of the string.
   */
  openAt(from: number, outer: boolean): number {
    const behind = this.quoteAt(from);
    return behind >= 0 && this.isOuterQuote && !outer ? -1 : behind;
  }

  /** Behind the white space of this line, also where it is written as an escape. */
  skipBlank(from: number): number {
    let at = from;
    for (;;) {
      const blank = at;
      at = this.run(at, BLANK);
      if (at > blank && this.codes[at - 1] === ESCAPE) at = behindColour(this.codes, at);
      const code = this.code(at);
      if (code !== BACKSLASH) {
        if (code >= 0 && ((CLASSES[code] ?? 0) & BLANK) !== 0) continue;
        return at;
      }
      const letter = this.backslashes(at);
      if (isColourEscape(this.codes, letter)) at = behindColour(this.codes, letter + 5);
      else if (this.code(letter) === 116) at = letter + 1;
      else return at;
    }
  }

  /** Behind the line break that stands here, also where it is written as an escape; else -1. */
  newlineAt(from: number): number {
    const code = this.code(from);
    if (code >= 0 && ((CLASSES[code] ?? 0) & NEWLINE) !== 0) return from + 1;
    if (code !== BACKSLASH) return -1;
    const letter = this.backslashes(from);
    const next = this.code(letter);
    return next === 110 || next === 114 ? letter + 1 : -1;
  }

  /** The end of a value that begins behind an opening quote of this kind, as far as to the limit. */
  quotedEnd(from: number, quote: number, level: number, most: number = LONGEST_QUOTED): number {
    const limit = Math.min(this.length, from + most);
    let slashes = 0;
    for (let at = from; at < limit; at++) {
      const code = this.codes[at] ?? 0;
      if (code === BACKSLASH) {
        slashes += 1;
        continue;
      }
      const deep = levelOf(slashes);
      const closes = code === quote ? deep <= level : this.isJson && code === DOUBLE_QUOTE && deep === 0;
      if (closes) {
        this.steps += at - from + 1;
        // The last of the backslashes before it are the quote's own.
        return at - (2 ** deep - 1);
      }
      if (((CLASSES[code] ?? 0) & NEWLINE) !== 0) {
        this.steps += at - from + 1;
        return at;
      }
      slashes = 0;
    }
    this.steps += limit - from + 1;
    // Without an end in sight it is not a quote.
    return limit === this.length || most < LONGEST_QUOTED ? limit : this.bareEnd(from);
  }

  /** The end of a value without quotes, as far as to the limit. */
  bareEnd(from: number, limit: number = this.length): number {
    let at = from;
    while (at < limit) {
      const code = this.codes[at] ?? 0;
      const bits = CLASSES[code] ?? 0;
      if ((bits & (SPACE | QUOTE)) !== 0) break;
      if (code === BACKSLASH) {
        const next = this.backslashes(at);
        if ((this.bits(next) & QUOTE) !== 0 || isSpaceLetter(this.code(next))) break;
        if (isColourEscape(this.codes, next)) break;
        at = Math.min(next + 1, this.length);
        continue;
      }
      if ((bits & DELIMITER) !== 0 && this.endsValue(at + 1)) break;
      at += 1;
    }
    this.steps += at - from + 1;
    return at;
  }

  /** Whether what follows a delimiter makes it the end of a value, and not a part of a password. */
  private endsValue(at: number): boolean {
    const bits = this.bits(at);
    if (at >= this.length || (bits & (SPACE | QUOTE | DELIMITER)) !== 0) return true;
    const code = this.codes[at] ?? 0;
    if (code === BACKSLASH || code === 47 || code === 46 || code === 58) return true;
    if ((bits & WORD) === 0) return false;
    const end = this.run(at, WORD | JOINT | BLANK, Math.min(this.length, at + LONGEST_NAME));
    return this.code(end) === 61 || this.code(end) === 58;
  }

  /** The end of the line or of the string, whichever comes first. */
  lineEnd(from: number): number {
    let at = from;
    while (at < this.length) {
      const code = this.codes[at] ?? 0;
      if (((CLASSES[code] ?? 0) & (NEWLINE | QUOTE)) !== 0) break;
      if (code === BACKSLASH) {
        const next = this.backslashes(at);
        if ((this.bits(next) & QUOTE) !== 0 || this.newlineAt(at) >= 0) break;
        at = Math.min(next + 1, this.length);
      } else at += 1;
    }
    this.steps += at - from + 1;
    return at;
  }
}

/** How many texts a quote with so many backslashes is inside of: each doubles them and adds one. */
export function levelOf(backslashes: number): number {
  let level = 0;
  for (let rest = backslashes; (rest & 1) === 1; rest >>= 1) level += 1;
  return level;
}

const JSON_ENDS: Readonly<Record<string, string>> = { '{': '}', '[': ']', '"': '"' };

function looksLikeJson(text: string): boolean {
  const first = text[0] ?? '';
  // A string of JSON is on one line; a table with quotes is not.
  return JSON_ENDS[first] === text.at(-1) && (first !== '"' || !text.includes('\n'));
}
