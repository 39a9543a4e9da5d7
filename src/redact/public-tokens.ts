const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Files named after a time and an id. */
const DATED_ID = /^(?:[a-z]+-)?[\dT-]{10,25}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEX = /^(?:0x)?[0-9a-f]+$/i;
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

/** Whether a token that looks random is known to be none of anybody's secrets. `before` is the text in front of it. */
export function isPublicToken(token: string, before: string): boolean {
  return (
    HEX.test(token) ||
    PUBLIC_DATA.test(token) ||
    ((token.includes('-') || token.includes('_')) && isJoined(token)) ||
    (isBehindSign(before) && (DIGEST_BEFORE.test(before) || NAMED_ID.test(before))) ||
    ((before.endsWith(',') || before.endsWith('"')) && BASE64_DATA.test(before)) ||
    isPath(token, before)
  );
}

function isJoined(token: string): boolean {
  return UUID.test(token) || DATED_ID.test(token) || DIGEST.test(token) || PUBLIC_ID.test(token);
}

/** Whether there is a sign at all that a name of a digest could stand before: most tokens are words among others. */
function isBehindSign(before: string): boolean {
  let at = before.length - 1;
  while (at >= 0 && BETWEEN.has(before.charAt(at))) at--;
  return at >= 0 && SIGNS.has(before.charAt(at));
}

const BETWEEN = new Set(' \t\n\r"\'\\');
const SIGNS = new Set('-:=');

/** A slash is in paths and in base64. A path has words. */
function isPath(token: string, before: string): boolean {
  if (!token.includes('/')) return false;
  return (
    /[/.~:@]$/.test(before) ||
    token.startsWith('/') ||
    token.split('/').some((part) => /^[a-z]{3,}$/.test(part))
  );
}
