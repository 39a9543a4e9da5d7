import {
  BACKSLASH,
  BLANK,
  CLASSES,
  DELIMITER,
  JOINT,
  NEWLINE,
  QUOTE,
  SPACE,
  WORD,
} from '../text/characters.ts';
import type { Reader } from '../text/reader.ts';
import { type Separator, SHORTEST_CLEAR } from './judge.ts';

const COLON = 58;
/** As it is written in Chinese and Japanese. */
const WIDE_COLON = 0xff1a;
const EQUALS = 61;
const GREATER = 62;
const LESS = 60;
const COMMA = 44;
const SLASH = 47;
const STAR = 42;

/** Where the value of a name begins, and how. */
export interface ValuePlace {
  readonly at: number;
  readonly separator: Separator;
  /** The code of the quote before the value; 0 without one. */
  readonly quote: number;
  readonly level: number;
  readonly keyQuoted: boolean;
}

/** Where the value of the name between these places begins; null if it has none. */
export function placeOfValue(reader: Reader, start: number, end: number, option: boolean): ValuePlace | null {
  const behindQuote = reader.quoteAt(end);
  const keyQuoted = behindQuote >= 0;
  const outer = keyQuoted && reader.isOuterQuote;
  const key = behindKey(reader, keyQuoted ? behindQuote : end);
  const at = reader.skipBlank(key);
  const found = separatorAt(reader, start, at, at > key, keyQuoted, option);
  if (found === null) return pairedValue(reader, end);
  if (found.separator === 'argument') {
    const paired = pairedValue(reader, end);
    if (paired !== null) return paired;
  }
  const place = openValue(reader, found, keyQuoted, outer);
  // `grep 'password=' …`: the quote ends the text that contains the name.
  return place !== null && !keyQuoted && closesQuote(reader, start, place) ? null : place;
}

/** True if the name that ends here has a value too short for a key: `key=a`. */
export function hasShortValue(reader: Reader, end: number): boolean {
  if (reader.code(end) !== EQUALS) return false;
  const limit = Math.min(reader.length, end + 1 + SHORTEST_CLEAR);
  const last = reader.until(end + 1, SPACE | QUOTE | BACKSLASH | DELIMITER, limit);
  return last > end + 1 && last < limit && (reader.bits(last) & SPACE) !== 0;
}

function closesQuote(reader: Reader, start: number, { at, quote }: ValuePlace): boolean {
  if (quote === 0 || reader.code(start - 1) !== quote) return false;
  return (reader.bits(at) & (SPACE | DELIMITER)) !== 0 || reader.newlineAt(at) >= 0;
}

/** `config["password"]`, `password?:`, `password!:`, `**password**:`. */
function behindKey(reader: Reader, from: number): number {
  let at = from;
  for (let count = 0; count < 2; count += 1) {
    const code = reader.code(at);
    if (code !== 93 && code !== 63 && code !== 33 && code !== STAR) break;
    at += 1;
  }
  return at;
}

interface Found {
  readonly at: number;
  readonly separator: Separator;
}

function separatorAt(
  reader: Reader,
  start: number,
  at: number,
  blank: boolean,
  keyQuoted: boolean,
  option: boolean,
): Found | null {
  const code = reader.code(at);
  if (code === COLON || code === WIDE_COLON) return colonAt(reader, at);
  if (code === EQUALS) return equalsAt(reader, at, blank);
  if (code === GREATER && !blank && reader.code(start - 1) === LESS) return { at: at + 1, separator: 'tag' };
  if (code === COMMA && keyQuoted) return { at: at + 1, separator: option ? 'option' : 'argument' };
  if (code === 40 && !blank) return { at: at + 1, separator: 'argument' };
  const encoded = encodedSeparator(reader, at);
  if (encoded !== null) return encoded;
  if (blank && !keyQuoted) return { at, separator: option ? 'option' : 'blank' };
  return null;
}

function colonAt(reader: Reader, at: number): Found | null {
  const next = reader.code(at + 1);
  if (next === COLON || (next === SLASH && reader.code(at + 2) === SLASH)) return null;
  return next === EQUALS ? { at: at + 2, separator: 'assign' } : { at: at + 1, separator: 'colon' };
}

function equalsAt(reader: Reader, at: number, blank: boolean): Found {
  const next = reader.code(at + 1);
  if (next === GREATER) return { at: at + 2, separator: 'compare' };
  if (next === EQUALS) return { at: reader.code(at + 2) === EQUALS ? at + 3 : at + 2, separator: 'compare' };
  const spaced = blank || (reader.bits(at + 1) & BLANK) !== 0;
  return { at: at + 1, separator: spaced ? 'assign' : 'equals' };
}

const ENCODED = /^(?:%3d|%3a|\\+u003d|\\+u003a)/i;

/** `=` and `:` as URLs and some writers of JSON have them. */
function encodedSeparator(reader: Reader, at: number): Found | null {
  const code = reader.code(at);
  if (code !== 37 && code !== 92) return null;
  const [written] = ENCODED.exec(reader.slice(at, Math.min(reader.length, at + 12))) ?? [];
  if (written === undefined) return null;
  return { at: at + written.length, separator: /d$/i.test(written) ? 'equals' : 'colon' };
}

/** Behind the blanks and the quote that a value begins with. */
function openValue(
  reader: Reader,
  { at: from, separator }: Found,
  keyQuoted: boolean,
  outer: boolean,
): ValuePlace | null {
  // `**password:** …`
  const isBold = separator === 'colon' && reader.startsWith('** ', from);
  let at = reader.skipBlank(isBold ? from + 2 : from);
  const line = separator === 'assign' || separator === 'tag' ? reader.newlineAt(at) : -1;
  // A long string often starts on a new line.
  if (line >= 0) at = reader.skipBlank(line);
  if (separator === 'blank') {
    const said = behindWords(reader, at);
    if (said !== at) return openValue(reader, { at: said, separator: 'is' }, keyQuoted, outer);
  }
  // `b"…"`, `r'…'`, `$"…"`
  const prefixed = (reader.bits(at) & WORD) !== 0 || reader.code(at) === 36 || reader.code(at) === 64;
  const behind = reader.openAt(prefixed && (reader.bits(at + 1) & QUOTE) !== 0 ? at + 1 : at, outer);
  if (behind < 0) {
    if (separator === 'argument' || separator === 'compare' || (line >= 0 && separator === 'assign'))
      return null;
    return { at, separator, quote: 0, level: 0, keyQuoted };
  }
  return { at: behind, separator, quote: reader.quote, level: reader.level, keyQuoted };
}

const LONGEST_SUBJECT = 40;

const VERBS = 'is est es ist lautet je este è é är er jest — –'.split(' ').map((verb) => `${verb} `);
const PREPOSITIONS = [
  ...'for für of von de du del della do da до для för voor til pour para per'
    .split(' ')
    .map((word) => `${word} `),
  "dell'",
];

/** `the password is …`, `password for root: …`. */
function behindWords(reader: Reader, at: number): number {
  const verb = VERBS.find((one) => reader.startsWith(one, at));
  if (verb !== undefined) return at + verb.length;
  const preposition = PREPOSITIONS.find((one) => reader.startsWith(one, at));
  if (preposition === undefined) return at;
  const subject = at + preposition.length;
  const end = reader.until(
    subject,
    NEWLINE | QUOTE | DELIMITER | BACKSLASH,
    Math.min(reader.length, subject + LONGEST_SUBJECT),
  );
  const colon = reader.first(COLON, subject, end);
  return colon < 0 ? at : colon + 1;
}

const MOST_BETWEEN = 40;

/** `"name": "DB_PASSWORD", "value": "…"`, in JSON, YAML and XML. */
function pairedValue(reader: Reader, end: number): ValuePlace | null {
  const limit = Math.min(reader.length, end + MOST_BETWEEN);
  let at = end;
  for (;;) {
    const quote = reader.quoteAt(at);
    const line = quote < 0 ? reader.newlineAt(at) : quote;
    const next = line >= 0 ? line : isFiller(reader.code(at)) ? at + 1 : at;
    if (next === at || next > limit) break;
    at = next;
  }
  const first = reader.code(at);
  if (at === end || (first !== 118 && first !== 86) || !reader.startsWith('alue', at + 1)) return null;
  const key = at + 5;
  const behindQuote = reader.quoteAt(key);
  const outer = behindQuote >= 0 && reader.isOuterQuote;
  const sign = reader.skipBlank(behindQuote >= 0 ? behindQuote : key);
  const code = reader.code(sign);
  if (code !== COLON && code !== EQUALS) return null;
  const separator = code === COLON ? 'colon' : 'equals';
  return openValue(reader, { at: sign + 1, separator }, behindQuote >= 0, outer);
}

function isFiller(code: number): boolean {
  return code === COMMA || (code >= 0 && ((CLASSES[code] ?? 0) & BLANK) !== 0);
}

const LONGEST_TYPE = 24;

/** `password: string = "…"`: the value behind the type that stands here; null if there is none. */
export function valueBehindType(reader: Reader, from: number): ValuePlace | null {
  const end = reader.run(from, WORD | JOINT, Math.min(reader.length, from + LONGEST_TYPE));
  const at = reader.skipBlank(end);
  if (end === from || reader.code(at) !== EQUALS || reader.code(at + 1) === EQUALS) return null;
  const place = openValue(reader, { at: at + 1, separator: 'assign' }, false, false);
  return place === null || place.quote === 0 ? null : place;
}
