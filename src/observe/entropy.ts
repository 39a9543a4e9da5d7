/** Long enough to be a secret. */
export const SHORTEST_TOKEN = 16;

/** Characters that secrets, hashes, ids and paths are made of. */
const IN_TOKEN = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-') {
  IN_TOKEN[character.charCodeAt(0)] = 1;
}

/**
 * Calls for every run of such characters that is long enough, until the visitor says true. By hand, because this is
 * done for every byte that is stored: a regular expression takes ten times as long.
 */
export function visitTokens(text: string, visit: (start: number, end: number) => boolean): void {
  const { length } = text;
  let start = 0;
  for (let at = 0; at <= length; at++) {
    const code = at < length ? text.charCodeAt(at) : 0;
    if (code < 128 && IN_TOKEN[code] === 1) continue;
    if (at - start >= SHORTEST_TOKEN && visit(start, at)) return;
    start = at + 1;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Files named after a time and an id. */
const DATED_ID = /^(?:[a-z]+-)?[\dT-]{10,25}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEX = /^(?:0x)?[0-9a-f]+$/i;
const DIGEST = /^(?:sha(?:1|256|384|512)|md5|h1)[-=]/;
/** Names of calls, messages and the like: they are to be found again. */
const PUBLIC_ID =
  /^(?:toolu|srvtoolu|call|msg|req|resp|fc|fco|rs|ws|item|run|thread|turn|exec|ctc|chatcmpl|prompt|hook|agent|session|cus|evt)[_-]/;
/** Images, documents and public keys in base64 begin with their format. */
const PUBLIC_DATA = /^(?:iVBOR|\/9j\/|R0lGOD|UklGR|PHN2Z|JVBERi|Qk[0-9A-Za-z]|AAAA[A-F]|AAABAA|d09GM|T2dnU)/;
/** A key of this name has an identifier or a digest, not a secret. */
const NAMED_ID =
  /(?:id|hash|sha|sum|digest|integrity|signature|uuid|etag|nonce|cursor|ref|slug)\\*"\s*:\s*\\*"$/i;
const BASE64_DATA = /base64,$|base64\\*"\s*:\s*\\*"$/;

/** Beyond this it is data: keys are shorter, and long ones have a header. */
const LONGEST_SECRET = 200;
const SHORTEST_SECRET = 20;
/** Half of what a random text of this kind has; names of things have a quarter of it. */
const MOST_STEPS_IN_NAMES = 0.4;
const MOST_STEPS_IN_WORDS = 0.42;
const LEAST_BITS = 3.6;

/** What a token may be; `dull` needs no closer look by any pattern. */
export type Suspicion = 'dull' | 'odd' | 'random';

/** Sessions, folders and names come again and again: what was dull once needs no second look. */
const known = new Set<string>();
const MOST_KNOWN = 5_000;

/** `before` is the text in front of the token, for what it is called there. */
export function suspicionOf(token: string, before: string): Suspicion {
  if (known.has(token)) return 'dull';
  const suspicion = judged(token, before);
  // What stands before may have made data of it; the same token elsewhere is judged anew.
  if (suspicion === 'dull' && judged(token, '') === 'dull') {
    if (known.size >= MOST_KNOWN) known.clear();
    known.add(token);
  }
  return suspicion;
}

function judged(token: string, before: string): Suspicion {
  if (token.length > LONGEST_SECRET) return BASE64_DATA.test(before) || !hasForm(token) ? 'dull' : 'odd';
  if (token.includes('/')) return pathSuspicion(token, before);
  if (isPublic(token)) return 'dull';
  if (!isMixed(token)) return isWords(token) ? 'dull' : 'odd';
  return looksRandom(token) && !NAMED_ID.test(before) && !BASE64_DATA.test(before) ? 'random' : 'odd';
}

function isPublic(token: string): boolean {
  return (
    UUID.test(token) ||
    HEX.test(token) ||
    DATED_ID.test(token) ||
    DIGEST.test(token) ||
    PUBLIC_ID.test(token) ||
    PUBLIC_DATA.test(token)
  );
}

/** A slash is in paths and in base64. A path has words; what stands between its slashes may still have a form. */
function pathSuspicion(token: string, before: string): Suspicion {
  if (PUBLIC_DATA.test(token) || BASE64_DATA.test(before)) return 'dull';
  const parts = token.split('/');
  const isPath =
    /[/.~:@]$/.test(before) || token.startsWith('/') || parts.some((part) => /^[a-z]{3,}$/.test(part));
  if (!isPath && looksRandom(token) && isMixed(token)) return NAMED_ID.test(before) ? 'odd' : 'random';
  return parts.some((part) => part.length >= 16 && !isPublic(part) && !isWords(part)) ? 'odd' : 'dull';
}

/** Only the beginning is looked at: data of megabytes has every letter. */
function hasForm(token: string): boolean {
  return /[_-]/.test(token.slice(0, 16));
}

/** Names of things: letters in pieces of the length of words, with at most a short number in each. */
function isWords(token: string): boolean {
  return !NO_WORD.test(token) && steps(token.replaceAll(/[_-]/g, '')) <= MOST_STEPS_IN_WORDS;
}

const NO_WORD = /[a-z]{15}|[A-Z]{12}|\d[A-Za-z]+\d|[A-Za-z]\d{5}|eyJ|[rs]k_(?:live|test)_|pat[A-Za-z\d]{14}$/;

function isMixed(token: string): boolean {
  return /\d/.test(token) && /[a-z]/.test(token) && /[A-Z]/.test(token);
}

function looksRandom(token: string): boolean {
  const core = token.replace(/=+$/, '');
  return core.length >= SHORTEST_SECRET && steps(core) > MOST_STEPS_IN_NAMES && bits(core) >= LEAST_BITS;
}

/** How often the kind of character changes from one to the next, out of how often it could. */
function steps(token: string): number {
  let changes = 0;
  for (let at = 1; at < token.length; at++) {
    if (kind(token.charCodeAt(at)) !== kind(token.charCodeAt(at - 1))) changes += 1;
  }
  return changes / (token.length - 1);
}

function kind(code: number): number {
  if (code >= 97) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 48 && code <= 57 ? 2 : 3;
}

/** Shannon's measure, per character. */
function bits(token: string): number {
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  let sum = 0;
  for (const n of counts.values()) sum -= (n / token.length) * Math.log2(n / token.length);
  return sum;
}
