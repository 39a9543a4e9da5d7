import { BACKSLASH, DIGIT, JOINT, LETTER, LOWER, QUOTE, SPACE, WORD } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';
import { fieldsEnd, hideCookies, hideCredentials } from './headers.ts';
import { isNoWord, isSecretValue, isStandIn, isTooShort, JUDGED, type Named } from './judge.ts';
import { isNameOfSecret, isVariableOfSecret, type NameKind } from './name-kinds.ts';
import { isExchanged } from './oauth-codes.ts';
import { placeOfValue, type ValuePlace, valueBehindType } from './value-place.ts';

/** A shorter value says nothing. */
const SHORTEST = 4;

const COLON = 58;
const DOUBLE_QUOTE = 34;
const LESS = 60;
const SLASH = 47;
const MINUS = 45;
const PLUS = 43;
const DOT = 46;
const SMALL_E = 101;

/** A name in a text. */
interface Name {
  readonly kind: NameKind;
  readonly start: number;
  readonly end: number;
  /** `--name`. */
  readonly option: boolean;
}

/** Takes out the value of a name, if that is a secret. Gives where to read on. */
export function hideNamed(reader: Reader, found: Findings, name: Name): number {
  const place = placeOfValue(reader, name.start, name.end, name.option);
  if (place === null) return name.end;
  if (place.separator === 'tag') return hideElement(reader, found, name, place);
  if (place.separator === 'blank' && !isWorthReading(reader, name, place)) {
    const typed = place.quote === 0 ? valueBehindType(reader, place.at) : null;
    return typed === null ? name.end : hideValue(reader, found, name, typed);
  }
  switch (name.kind) {
    case 'authorization':
      return hideAuthorization(reader, found, name, place);
    case 'cookie':
      return hideCookies(reader, found, name.end, place);
    case 'foreign':
      return isForeignPassword(reader, place)
        ? hideValue(reader, found, { ...name, kind: 'secret' }, place)
        : name.end;
    case 'phrase':
      return hidePhrase(reader, found, name, place);
    default:
      return hideValue(reader, found, name, place);
  }
}

/** Languages that write sentences without blanks. */
const WITHOUT_BLANKS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/** True if a value is not a word in the language of its name. */
function isForeignPassword(reader: Reader, place: ValuePlace): boolean {
  const value = reader.slice(place.at, endOfValue(reader, place, place.at, JUDGED));
  return !WITHOUT_BLANKS.test(value) && (reader.code(place.at) < 128 || isNoWord(value));
}

/** Without a sign between them, only text with a digit or in quotes can be the value of a name. */
function isWorthReading(reader: Reader, name: Name, { at, quote }: ValuePlace): boolean {
  if (name.kind !== 'secret' && name.kind !== 'pwd' && name.kind !== 'token') return false;
  if (quote !== 0) return true;
  const digit = reader.until(at, DIGIT | SPACE | QUOTE, Math.min(reader.length, at + JUDGED));
  return (reader.bits(digit) & DIGIT) !== 0;
}

function hideValue(reader: Reader, found: Findings, name: Name, place: ValuePlace): number {
  const block = place.quote === 0 && place.separator === 'colon' ? blockValue(reader, place) : null;
  const { at } = block ?? place;
  const near = endOfValue(reader, place, at, JUDGED) - at;
  if (isTooShort(name.kind, place.separator, near)) return behindType(reader, found, name, place, at);
  const judged = reader.mayJudge();
  if (!judged && reader.isFlooded && place.quote !== 0) return hideUnseen(reader, found, name, place);
  const head = reader.slice(at, at + JUDGED);
  const isSecret = judged
    ? !isName(reader, place, at, at + near) &&
      isSecretValue(describe(reader, name, place), head.slice(0, near), near < JUDGED, head.slice(near))
    : !isStandIn(head);
  if (!isSecret) return behindType(reader, found, name, place, at);
  if (judged && place.quote === 0 && isProse(reader, place, head, at + near)) return name.end;
  if (place.quote === 0 && place.keyQuoted && place.separator === 'colon')
    return hideNumber(reader, found, name, at);
  // Only a value that is taken out is read to its end: it will not be read again.
  return found.add(at, near < JUDGED ? at + near : endOfValue(reader, place, at), REDACTED);
}

/** The text here is not a secret, but may be its type. */
function behindType(reader: Reader, found: Findings, name: Name, place: ValuePlace, at: number): number {
  const typed = place.quote === 0 && isLetter(reader, at) ? valueBehindType(reader, at) : null;
  return typed === null ? name.end : hideValue(reader, found, name, typed);
}

/** A value in quotes that there is no time to look at. */
function hideUnseen(reader: Reader, found: Findings, name: Name, place: ValuePlace): number {
  const end = endOfValue(reader, place, place.at);
  return end - place.at < SHORTEST || reader.startsWith('[redacted', place.at)
    ? name.end
    : found.add(place.at, end, REDACTED);
}

/**
 * Takes out the value behind a name that JSON's own quote ends here, without a look at it: for a text with more names
 * than there is time for. Gives where to read on; -1 for a name that stands elsewhere, or while there is time.
 */
export function hideMember(reader: Reader, found: Findings, kind: NameKind, end: number): number {
  if (reader.hasJudgement || !UNSEEN.has(kind)) return -1;
  const quote = reader.quoteAt(end);
  if (quote < 0 || !reader.isOuterQuote || reader.code(quote) !== COLON) return -1;
  if (reader.code(quote + 1) !== DOUBLE_QUOTE) {
    const digits = numberEnd(reader, quote + 1, Math.min(reader.length, quote + JUDGED));
    const isNone = digits < 0 || isTooShort(kind, 'colon', digits - quote - 1);
    return isNone ? -1 : found.add(quote + 1, digits, '0');
  }
  const value = quote + 2;
  const last = reader.quotedEnd(value, DOUBLE_QUOTE, 0);
  const isNone = isTooShort(kind, 'colon', last - value) || reader.startsWith('[redacted', value);
  return isNone ? -1 : found.add(value, last, REDACTED);
}

const UNSEEN: ReadonlySet<NameKind> = new Set(['secret', 'token', 'key', 'pwd']);

const LONGEST_ELEMENT = 4_096;

/** `<password>…</password>`. */
function hideElement(reader: Reader, found: Findings, name: Name, place: ValuePlace): number {
  const { at } = place;
  const near = reader.first(LESS, at, Math.min(reader.length, at + JUDGED));
  const end = near >= 0 ? near : reader.first(LESS, at, Math.min(reader.length, at + LONGEST_ELEMENT));
  const tag = end < 0 ? end : reader.run(end + 1, BACKSLASH);
  if (end < 0 || reader.code(tag) !== SLASH || (reader.isJson && reader.until(at, QUOTE, end) !== end))
    return name.end;
  const value = reader.slice(at, Math.min(end, at + JUDGED));
  const isSecret =
    !isNameOfSecret(reader, at, end) && isSecretValue(describe(reader, name, place), value, near >= 0, '');
  return isSecret ? found.add(at, end, REDACTED) : name.end;
}

function isName(reader: Reader, { quote, separator }: ValuePlace, at: number, end: number): boolean {
  if (isNameOfSecret(reader, at, end)) return true;
  const isCode = quote === 0 && (separator === 'colon' || separator === 'assign');
  return isCode && isVariableOfSecret(reader, at, end, separator === 'assign');
}

function endOfValue(reader: Reader, { quote, level }: ValuePlace, at: number, most?: number): number {
  if (quote !== 0) return reader.quotedEnd(at, quote, level, most);
  return reader.bareEnd(at, most === undefined ? undefined : Math.min(reader.length, at + most));
}

function describe(reader: Reader, name: Name, place: ValuePlace): Named {
  const { kind, start, end } = name;
  const isEquals = place.separator === 'equals';
  const query = isEquals && isInQuery(reader, start);
  return {
    kind,
    separator: place.separator,
    quoted: place.quote !== 0,
    capitals: (reader.bits(end - 1) & LOWER) === 0 && (reader.bits(start) & LOWER) === 0,
    query,
    exchanged: isEquals && kind === 'query' && isExchanged(reader, start, end, query),
  };
}

/** Behind `?`, `&`, `#`. */
function isInQuery(reader: Reader, start: number): boolean {
  const before = reader.code(start - 1);
  return before === 63 || before === 38 || before === 35 || isEncodedAmpersand(reader, start);
}

/** `\u0026` and `&amp;`. */
function isEncodedAmpersand(reader: Reader, start: number): boolean {
  return reader.startsWith('u0026', start - 5) || reader.startsWith('&amp;', start - 5);
}

const isLetter = (reader: Reader, at: number) => (reader.bits(at) & LETTER) !== 0;

/** `password: |` and the line below it. */
function blockValue(reader: Reader, place: ValuePlace): ValuePlace | null {
  const code = reader.code(place.at);
  if (code !== 124 && code !== 62) return null;
  const sign = reader.code(place.at + 1);
  const line = reader.newlineAt(sign === 45 || sign === 43 ? place.at + 2 : place.at + 1);
  if (line < 0) return null;
  const at = reader.skipBlank(line);
  return at === line ? null : { ...place, at };
}

/** A value without quotes after a quoted name is JSON's own: it must stay a number, and the words hide nothing. */
function hideNumber(reader: Reader, found: Findings, name: Name, at: number): number {
  const end = numberEnd(reader, at, Math.min(reader.length, at + JUDGED));
  return end < 0 ? name.end : found.add(at, end, '0');
}

/** The end of the number that begins here, such as `-1.5e+10`; -1 if none does. */
function numberEnd(reader: Reader, from: number, limit: number): number {
  const digitsFrom = (at: number) => (at < limit ? reader.run(at, DIGIT, limit) : at);
  const first = reader.code(from) === MINUS ? from + 1 : from;
  let end = digitsFrom(first);
  if (end === first) return -1;
  if (reader.code(end) === DOT) {
    const fraction = digitsFrom(end + 1);
    if (fraction > end + 1) end = fraction;
  }
  if ((reader.code(end) | 32) !== SMALL_E) return end;
  const sign = reader.code(end + 1);
  const start = sign === MINUS || sign === PLUS ? end + 2 : end + 1;
  const exponent = digitsFrom(start);
  return exponent > start ? exponent : end;
}

const PROSE =
  /^[A-Za-z]?[a-z’']+,?(?: +[a-z’'-]+,?)* +(?:a|an|and|are|as|at|be|by|for|from|has|in|is|it|must|no|not|of|on|or|should|the|to|was|when|will|with|you|your|der|die|das|und|oder|muss|ist|nicht|mit|le|la|les|et|est|doit|de|el|los|y|debe|en|het|een|moet)\b|^\p{L}+ (?:\p{L}+ )?\d+ \p{L}{4}/u;

/** The words after `Password:` in a sentence. */
function isProse(reader: Reader, { separator }: ValuePlace, head: string, end: number): boolean {
  if (separator !== 'colon' || (reader.bits(end) & SPACE) === 0) return false;
  return PROSE.test(head);
}

const SCHEMES =
  /^(?:bearer|basic|token|apikey|bot|negotiate|ntlm|key|splunk|genieKey|flyv1|dpop|digest|hawk|oauth|aws4-hmac-sha256|signature)$/i;
const SCHEMES_WITH_FIELDS = /^(?:digest|hawk|oauth|aws4-hmac-sha256|signature)$/i;
const LONGEST_SCHEME = 20;

function hideAuthorization(reader: Reader, found: Findings, name: Name, place: ValuePlace): number {
  const { at } = place;
  const end = reader.run(at, WORD | JOINT, Math.min(reader.length, at + LONGEST_SCHEME));
  const scheme = reader.slice(at, end);
  const value = reader.skipBlank(end);
  if (value === end || !SCHEMES.test(scheme))
    return hideValue(reader, found, { ...name, kind: 'secret' }, place);
  if (SCHEMES_WITH_FIELDS.test(scheme)) return found.add(value, fieldsEnd(reader, value), REDACTED);
  return hideCredentials(reader, found, value) ?? name.end;
}

function hidePhrase(reader: Reader, found: Findings, name: Name, place: ValuePlace): number {
  const { at, quote, level } = place;
  const head = reader.slice(at, at + JUDGED);
  if (!/^(?:[a-z]{3,8} +){4,}/.test(head)) return name.end;
  const end = quote === 0 ? reader.lineEnd(at) : reader.quotedEnd(at, quote, level);
  return found.add(at, end, REDACTED);
}
