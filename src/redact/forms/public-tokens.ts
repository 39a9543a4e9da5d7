import { BACKSLASH, HEX, QUOTE, SPACE, TOKEN } from '../text/characters.ts';
import type { Reader } from '../text/reader.ts';

export const UUID: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Files named after a time and an id. */
const DATED_ID = /^(?:[a-z]+-)?[\dT-]{10,25}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DIGEST = /^(?:sha(?:1|224|256|384|512)|md5|blake[23]\w?)-/i;
/** `sha256:…` and Go's `h1:…`. */
const DIGEST_BEFORE = /(?:\bsha-?(?:1|224|256|384|512)|\bmd5|\bh1|\bzh|blake[23]\w?)[-:=]$/i;
/** Names of calls, messages and the like: they are to be found again. */
const PUBLIC_ID =
  /^(?:toolu|srvtoolu|call|msg|req|resp|fc|fco|rs|ws|item|run|thread|turn|exec|ctc|chatcmpl|prompt|hook|agent|session|cus|evt)[_-]/;
/** Images, documents and public keys in base64 begin with their format. */
const PUBLIC_DATA = /^(?:iVBOR|\/9j\/|R0lGOD|UklGR|PHN2Z|JVBERi|Qk[0-9A-Za-z]|AAAA[A-F]|AAABAA|d09GM|T2dnU)/;
/** A key of this name has an identifier or a digest, not a secret. */
const NAMED_ID =
  /(?:id|hash|sha\d*|sum|digest|integrity|signature|uuid|etag|nonce|cursor|ref|rev|slug|fingerprint)\\*["']?\s*[:=]\s*\\*["']?$/i;
const BASE64_DATA = /base64,$|base64\\*"\s*:\s*\\*"$/;

/** By the first character: 1 if such data may begin with it. */
const DATA_STARTS = new Uint8Array(128);
for (const first of 'i/RUPJQAdT') DATA_STARTS[first.charCodeAt(0)] = 1;

/** How much of the text before a token is read to classify it. */
const BEFORE = 32;
/** How far back the path of an escaped name may begin. */
const PATH_BEFORE = 256;
const DASH = 45;
const UNDERSCORE = 95;
const SLASH = 47;
const PERCENT = 37;
const COMMA = 44;
const DOUBLE_QUOTE = 34;

/** True for a random-looking token that is known to be public. Most are recognized by their characters alone. */
export function isPublicToken(reader: Reader, start: number, end: number): boolean {
  const first = reader.code(start);
  if (isHex(reader, start, end)) return true;
  if (DATA_STARTS[first] === 1 && PUBLIC_DATA.test(reader.slice(start, Math.min(end, start + 8))))
    return true;
  const isJoint = reader.first(DASH, start, end) >= 0 || reader.first(UNDERSCORE, start, end) >= 0;
  if (isJoint && isJoined(reader.slice(start, end))) return true;
  return (
    isCalledPublic(reader, start) ||
    (reader.first(SLASH, start, end) >= 0 && isPath(reader, start, end)) ||
    (reader.code(start - 1) === PERCENT && isInPath(reader, start))
  );
}

function isHex(reader: Reader, start: number, end: number): boolean {
  const isMarked = reader.code(start) === 48 && reader.code(start + 1) === 120;
  const from = isMarked ? start + 2 : start;
  return reader.run(from, HEX, end) === end;
}

function isJoined(token: string): boolean {
  return UUID.test(token) || DATED_ID.test(token) || DIGEST.test(token) || PUBLIC_ID.test(token);
}

/** True if the text before a token marks it as public. */
function isCalledPublic(reader: Reader, start: number): boolean {
  const last = reader.code(start - 1);
  const isData = last === COMMA || last === DOUBLE_QUOTE;
  const isBehind = isBehindSign(reader, start);
  if (!isData && !isBehind) return false;
  const before = reader.slice(Math.max(0, start - BEFORE), start);
  return (
    (isBehind && (DIGEST_BEFORE.test(before) || NAMED_ID.test(before))) ||
    (isData && BASE64_DATA.test(before))
  );
}

/** Quick check for a sign after which a digest's name may occur: most tokens are words in a text. */
function isBehindSign(reader: Reader, start: number): boolean {
  const limit = Math.max(0, start - BEFORE);
  let at = start - 1;
  while (at >= limit && (reader.bits(at) & (SPACE | QUOTE | BACKSLASH)) !== 0) at--;
  const code = at >= limit ? reader.code(at) : -1;
  return code === DASH || code === 58 || code === 61;
}

/** A slash is in paths and in base64. A path has words. */
function isPath(reader: Reader, start: number, end: number): boolean {
  if (startsPath(reader, start)) return true;
  return reader
    .slice(start, end)
    .split('/')
    .some((part) => /^[a-z]{3,}$/.test(part));
}

function startsPath(reader: Reader, start: number): boolean {
  return (
    reader.code(start) === SLASH || /[/.~:@]/.test(String.fromCharCode(Math.max(0, reader.code(start - 1))))
  );
}

/** A folder that is named after another, `sessions/%2Fhome%2Fme`, is a part of its path. */
function isInPath(reader: Reader, start: number): boolean {
  const limit = Math.max(0, start - PATH_BEFORE);
  let at = start;
  while (at > limit && isOfPath(reader, at - 1)) at--;
  reader.steps += start - at;
  return at < start && reader.first(SLASH, at, start) >= 0 && startsPath(reader, at);
}

function isOfPath(reader: Reader, at: number): boolean {
  if (reader.code(at) === PERCENT) return reader.code(at + 1) === 50 && (reader.code(at + 2) | 32) === 102;
  return (reader.bits(at) & TOKEN) !== 0 && reader.code(at) !== 61;
}
