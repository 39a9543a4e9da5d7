import { JOINT, SPACE, WORD } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';
import { isStandIn, JUDGED, looksLikeCredential } from './judge.ts';
import { isNameOfSecret } from './name-kinds.ts';
import type { ValuePlace } from './value-place.ts';

const COMMA = 44;
const EQUALS = 61;
/** A shorter value says nothing. */
const SHORTEST = 4;

const MOST_FIELDS = 20;

/** Behind `name="value", name=value` and so on. */
export function fieldsEnd(reader: Reader, from: number): number {
  let end = from;
  for (let count = 0, at = from; count < MOST_FIELDS; count += 1) {
    const equals = reader.run(at, WORD | JOINT);
    if (equals === at || reader.code(equals) !== EQUALS) break;
    const open = reader.openAt(equals + 1, false);
    end = open < 0 ? reader.bareEnd(equals + 1) : reader.quotedEnd(open, reader.quote, reader.level);
    const close = open < 0 ? -1 : reader.quoteAt(end);
    if (close >= 0) end = close;
    if (reader.code(end) !== COMMA) break;
    at = reader.skipBlank(end + 1);
  }
  return end;
}

/** The credential after an authorization scheme; null if there is none. */
export function hideCredentials(reader: Reader, found: Findings, at: number): number | null {
  const head = reader.slice(at, at + JUDGED);
  if (isStandIn(head)) return null;
  const end = reader.bareEnd(at);
  if (end - at < SHORTEST || isNameOfSecret(reader, at, end)) return null;
  return found.add(at, end, REDACTED);
}

const SHORTEST_BEARER = 12;
const SHORTEST_BASIC = 8;

/** `Bearer …` and `Basic …` without the name of the header. */
export function hideScheme(reader: Reader, found: Findings, end: number, basic: boolean): number {
  const at = reader.skipBlank(end);
  if (
    at === end ||
    reader.until(at, SPACE, Math.min(reader.length, at + SHORTEST_BASIC)) - at < SHORTEST_BASIC
  )
    return end;
  const head = reader.slice(at, reader.bareEnd(at, Math.min(reader.length, at + JUDGED)));
  if (isStandIn(head)) return end;
  const isSecret = basic ? isBasic(head) : looksLikeCredential(head, SHORTEST_BEARER);
  return isSecret ? found.add(at, reader.bareEnd(at), REDACTED) : end;
}

function isBasic(value: string): boolean {
  return (
    /^[A-Za-z0-9+/]{8,}={0,2}$/.test(value) &&
    /^[ -~]+:[ -~]+$/.test(Buffer.from(value, 'base64').toString('latin1'))
  );
}

const COOKIE = /^[\w.%!#$&'*+^`|~-]{1,60}=[^=>\s]/;
const SHORTEST_COOKIE = 8;

/** The value of a cookie's header. Gives where to read on: `otherwise` if there is none. */
export function hideCookies(reader: Reader, found: Findings, otherwise: number, place: ValuePlace): number {
  const { at, quote, level, separator } = place;
  const head = reader.slice(at, at + JUDGED);
  if (!COOKIE.test(head) || (quote === 0 && separator !== 'colon' && separator !== 'option'))
    return otherwise;
  const value = head.slice(head.indexOf('=') + 1);
  if (isStandIn(value)) return otherwise;
  const end = quote === 0 ? reader.lineEnd(at) : reader.quotedEnd(at, quote, level);
  return end - at < SHORTEST_COOKIE ? otherwise : found.add(at, end, REDACTED);
}
