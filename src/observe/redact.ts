import { SHORTEST_TOKEN, suspicionOf, visitTokens } from './entropy.ts';
import { hideEnvValues } from './env-values.ts';
import { ANY_FORM, kindOf, PRIVATE_KEY } from './secret-forms.ts';

/** Secrets by what stands before them: the value goes, the name stays. */
const NAMED =
  /((?:authorization(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?\s*(?:bearer|basic|token|apikey)\s+)|(?:(?:passw(?:or)?d|passphrase|pwd|secret|credentials?|(?:api|access|private|signing|encryption|auth|secret)[_-]?key|(?:auth|access|refresh|id)[_-]?token)(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?))([^\s"'\\,;&{}[\]]{6,})/gi;
/** Variables, which are in capitals: small letters are in every other sentence and program. */
const VARIABLE = /((?:TOKEN|KEY|PASS|PWD)(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?)([^\s"'\\,;&{}[\]]{6,})/g;
/** The same for the words of an option: `--password hunter22`. */
const OPTION =
  /((?:^|\s|\\*["'])--?(?:password|passwd|pass|token|secret|api-key|access-key|auth)(?:\s+|=)(?:\\*["'])?)([^\s"'\\,;&{}[\]-][^\s"'\\,;&{}[\]]{5,})/gi;
const COOKIE = /(\b(?:set-)?cookie(?:\\*["'])?\s*:\s*(?:\\*["'])?)([^"'\\\r\n]{8,})/gi;

/** A URL's password. */
const IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"'\\]*:)([^\s/@"'\\]+)(@)/gi;

/** What a person marked as nobody's business; in JSON no further than the end of its string. */
const PRIVATE_IN_JSON = /<private>(?:[^"\\]|\\.)*?(?:<\/private>|(?=")|$)/g;
const PRIVATE = /<private>[\s\S]*?(?:<\/private>|$)/g;

/** A name and a value. */
const SHORTEST_SECRET = 8;

/** Cheap to look for, and there whenever one of the dear patterns above could match. */
const NAME_HINT =
  /authorization|passw|passphrase|pwd|secret|credential|[_-]?key["'\\\s:=]|token["'\\\s:=]|-pass|pass["'\\\s:=]/i;

/**
 * The text with every secret we can tell replaced by its kind. Safe on JSON: the result still parses. Most texts have
 * none, and are told so by one look at their long words.
 */
export function redact(text: string): string {
  if (text.length < SHORTEST_SECRET) return text;
  let safe = text;
  if (safe.includes('<private>'))
    safe = safe.replace(isSerialised(safe) ? PRIVATE_IN_JSON : PRIVATE, '[private]');
  safe = hideEnvValues(safe);
  if (safe.includes('PRIVATE KEY')) safe = safe.replace(PRIVATE_KEY, '[redacted:private-key]');
  const { odd, random } = look(safe);
  if (odd) safe = safe.replace(ANY_FORM, kindOf);
  if (NAME_HINT.test(safe))
    safe = safe.replace(NAMED, hideValue).replace(VARIABLE, hideValue).replace(OPTION, hideValue);
  if (safe.includes('ookie')) safe = safe.replace(COOKIE, hideValue);
  if (safe.includes('://')) safe = safe.replace(IN_URL, '$1[redacted]$3');
  // Last, so that what has a name or a form is called by it.
  if (random) safe = withoutRandom(safe);
  return safe;
}

function isSerialised(text: string): boolean {
  return /^[{["]/.test(text);
}

const BEFORE = 32;

function look(text: string): { odd: boolean; random: boolean } {
  let odd = false;
  let random = false;
  visitTokens(text, (start, end) => {
    const before = text.slice(Math.max(0, start - BEFORE), start);
    const suspicion = suspicionOf(unescaped(text.slice(start, end), before), before);
    if (suspicion !== 'dull') odd = true;
    random = suspicion === 'random';
    return random;
  });
  // Some forms have a dot or a colon in their middle: their parts alone may look like nothing.
  return { odd: odd || DOTTED.some((part) => text.includes(part)), random };
}

const DOTTED = [':AA', 'ya29.', 'SG.', 'hvs.', 'hvb.', 'hvr.', 'Q~'];

/** In serialised text the letter of an escape sticks to the word behind it. */
function unescaped(token: string, before: string): string {
  if (!before.endsWith('\\')) return token;
  const slashes = /\\*$/.exec(before)?.[0].length ?? 0;
  if (slashes % 2 === 0) return token;
  return token.slice(token.startsWith('u') ? 5 : 1);
}

function withoutRandom(text: string): string {
  const kept: string[] = [];
  let last = 0;
  visitTokens(text, (start, end) => {
    const before = text.slice(Math.max(0, start - BEFORE), start);
    const word = unescaped(text.slice(start, end), before);
    if (word.length >= SHORTEST_TOKEN && suspicionOf(word, before) === 'random') {
      kept.push(text.slice(last, end - word.length), '[redacted:random]');
      last = end;
    }
    return false;
  });
  return kept.length === 0 ? text : kept.join('') + text.slice(last);
}

/** Where a program gets a value from, or of which type it is: not the value. */
const NO_VALUE =
  /^[$<%]|^(?:process\.env|import\.meta|os\.environ|env\.|this\.)|^[\w.]+\(|^(?:string|boolean|number|unknown|undefined|required|optional)\b/;

function hideValue(whole: string, name: string, value: string): string {
  if (value.startsWith('[redacted') || NO_VALUE.test(value)) return whole;
  // A value without quotes after a quoted name is JSON's own: it must stay a number, and the words hide nothing.
  const isBareJson = /["']\s*:\s*$/.test(name);
  if (!isBareJson) return `${name}[redacted]`;
  return /^-?\d/.test(value) ? `${name}0` : whole;
}
