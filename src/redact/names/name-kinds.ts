import { CLASSES, DIGIT, JOINT, LETTER, LOWER, UNDERSCORE, UPPER, WORD } from '../text/characters.ts';
import type { Reader } from '../text/reader.ts';

/** What a name says about its value. */
export type NameKind =
  | 'none'
  /** The value is a secret unless it plainly is something else: a type, a reference, a label. */
  | 'secret'
  /** The value is a secret if it looks like one. */
  | 'token'
  /** The same, for a word with many other meanings. */
  | 'key'
  /** The same, but only in `NAME=value`: elsewhere it is an identifier that is to be found again. */
  | 'session'
  /** Only in the query of a URL. */
  | 'query'
  /** The working directory, or a password. */
  | 'pwd'
  /** A password in a language with Latin letters: ordinary words of that language are prose. */
  | 'spoken'
  /** Several words. */
  | 'phrase'
  /** A password in another language: text in that language is prose. */
  | 'foreign'
  | 'authorization'
  | 'cookie';

/** Names by their end, small letters without `_`, `-` and `.`: `DB_PASSWORD`, `dbPassword` and `db.password` alike. */
const ENDS: Readonly<Record<Exclude<NameKind, 'none' | 'foreign'>, string>> = {
  secret:
    'password passwd passwort passphrase passcode secret apikey accesskey secretkey privatekey signingkey encryptionkey ' +
    'masterkey accountkey storagekey sharedkey authkey servicekey adminkey sessionkey clientkeydata licensekey hmackey ' +
    'accesstoken authtoken refreshtoken idtoken bearertoken sessiontoken securitytoken bottoken apitoken ' +
    'registrytoken identitytoken oauthtoken secrettoken personaltoken deploytoken jobtoken ' +
    'dbpass userpass rootpass storepass keypass sudopass requirepass smtppass becomepass adminpass mysqlpass ftppass mailpass redispass ldappass proxypass apppass loginpass ' +
    'masterauth presharedkey privkey secretkeybase securestring ' +
    'passwordhash passwordencrypted kennwort contrasena motdepasse senha wachtwoord heslo salasana lozinka sifre',
  token: 'token pass pw auth credential credentials cred creds psk otp bearer zugangsdaten jenkinscrumb',
  spoken: 'clave parola passe sandi passord adgangskode parool losenord jelszo haslo lykilord',
  key: 'key',
  session: 'sessionid sid phpsessid jsessionid session connectsid',
  query: 'sig signature code ticket hmac',
  pwd: 'pwd',
  phrase: 'mnemonic seedphrase recoveryphrase seedwords',
  authorization: 'authorization xauth',
  cookie: 'cookie cookies',
};

/** Longer ends of the same sort that are not secrets. */
const PUBLIC_ENDS =
  'publickey primarykey foreignkey sortkey partitionkey cachekey hotkey shortcutkey objectkey hashkey rangekey groupkey ' +
  'storagekeyname i18nkey translationkey querykey reactkey indexkey routingkey websocketkey idempotencykey messagekey statekey ' +
  'nexttoken pagetoken nextpagetoken continuationtoken synctoken pagingtoken cancellationtoken canceltoken ' +
  'forgotpassword resetpassword changepassword showpassword hidepassword nopassword togglepassword haspassword ' +
  'ispassword usepassword getpassword invalidpassword missingpassword wrongpassword ' +
  'bypass compass trespass surpass overpass underpass subpass multipass renderpass';

/** Too short or too usual to be found inside of another word: `monkey`, `bypass`. */
const WHOLE_WORDS = new Set(
  'token pass pw auth cred creds key psk otp sid session sig signature code ticket hmac pwd bearer secret cookie senha heslo sifre clave parola passe sandi haslo'.split(
    ' ',
  ),
);

const KINDS: readonly Exclude<NameKind, 'foreign'>[] = [
  'none',
  'secret',
  'token',
  'key',
  'session',
  'query',
  'pwd',
  'spoken',
  'phrase',
  'authorization',
  'cookie',
];

const TEXTS = [...Object.values(ENDS), PUBLIC_ENDS];
/** No more nodes than letters. */
const MOST_NODES = 1 + TEXTS.reduce((sum, { length }) => sum + length, 0);
/** The ends as a tree from their last letter to their first: 26 children to a node, 0 for none. */
const CHILDREN = new Int16Array(MOST_NODES * 26);
/** By node: 0, or 1 + the index of a kind, doubled, plus one if it must be a separate word. */
const ENDING = new Uint8Array(MOST_NODES);
let nodes = 1;

function plant(end: string, kind: (typeof KINDS)[number]): void {
  let node = 0;
  for (let at = end.length - 1; at >= 0; at--) {
    const slot = node * 26 + (end.charCodeAt(at) - 97);
    if (CHILDREN[slot] === 0) CHILDREN[slot] = nodes++;
    node = CHILDREN[slot] ?? 0;
  }
  ENDING[node] = (1 + KINDS.indexOf(kind)) * 2 + (WHOLE_WORDS.has(end) ? 1 : 0);
}

for (const kind of KINDS)
  if (kind !== 'none') for (const end of ENDS[kind].split(' ')) if (/^[a-z]+$/.test(end)) plant(end, kind);
for (const end of PUBLIC_ENDS.split(' ')) if (/^[a-z]+$/.test(end)) plant(end, 'none');

/** By the last three letters of a word, small or not: 1 if a known end may be there. Most words have none. */
const LAST_THREE = new Uint8Array(32 * 32 * 32);
const lettersOf = (third: number, second: number, last: number) =>
  ((third & 31) << 10) | ((second & 31) << 5) | (last & 31);
for (const end of TEXTS.flatMap((ends) => ends.split(' '))) {
  const [third, second = 0, last = 0] = [-3, -2, -1].map((at) => end.at(at)?.charCodeAt(0));
  // Before a short one stands any letter, and in a long one a sign may stand there: `dbPw`, `PASS_WD`.
  const thirds = third === undefined ? Array(32).keys() : [0, third];
  for (const any of thirds) LAST_THREE[lettersOf(any, second, last)] = 1;
}

/** Quick check whether the name in this range may describe a secret. */
function mayBeNamed(codes: Uint16Array, start: number, end: number): boolean {
  let last = end - 1;
  while (last > start && !isLetter(codes[last] ?? 0)) last--;
  if (last === start) return false;
  const second = codes[last - 1] ?? 0;
  if (!isLetter(second)) return false;
  const third = last - 2 >= start ? (codes[last - 2] ?? 0) : 0;
  return LAST_THREE[lettersOf(isLetter(third) ? third : 0, second, codes[last] ?? 0)] === 1;
}

const isLetter = (code: number) => ((CLASSES[code] ?? 0) & LETTER) !== 0;

/** `PASSWORD_2`. */
const MOST_DIGITS = 4;
const LONGEST_VALUE = 48;

/** What the name in this range says about its value. */
export function kindOfName(reader: Reader, start: number, end: number): NameKind {
  reader.steps += end - start;
  return nameKind(reader.codes, start, end) ?? 'none';
}

/** What the name in this range says about its value; null for nothing. */
export function nameKind(codes: Uint16Array, start: number, end: number): NameKind | null {
  const index = mayBeNamed(codes, start, end) ? endOfName(codes, start, end) : 0;
  return index > 0 ? (KINDS[index] ?? null) : null;
}

/** Where the known end of the newest name begins. */
let foundAt = -1;

/** The index of the kind of a name, 0 for none: read from its last letter, as far as that is the end of a known one. */
function endOfName(codes: Uint16Array, start: number, end: number): number {
  let at = end - 1;
  while (at > start && end - at <= MOST_DIGITS && (bitsAt(codes, at) & DIGIT) !== 0) at--;
  let node = 0;
  let found = 0;
  for (; at >= start; at--) {
    const code = codes[at] ?? 0;
    const bits = CLASSES[code] ?? 0;
    if ((bits & JOINT) !== 0 || code === 95) continue;
    if ((bits & LETTER) === 0) break;
    node = CHILDREN[node * 26 + ((code | 32) - 97)] ?? 0;
    if (node === 0) break;
    const here = ENDING[node] ?? 0;
    if (here !== 0 && ((here & 1) === 0 || beginsWord(codes, at, start))) {
      found = here;
      foundAt = at;
    }
  }
  return Math.max(0, (found >> 1) - 1);
}

function beginsWord(codes: Uint16Array, at: number, start: number): boolean {
  return at === start || (bitsAt(codes, at - 1) & LETTER) === 0 || isHump(codes, at);
}

/** True if a value is itself only the name of a secret: `"password": "Password"`. */
export function isNameOfSecret(reader: Reader, start: number, end: number): boolean {
  if (end - start > LONGEST_VALUE || reader.run(start, LETTER | JOINT | UNDERSCORE, end) !== end)
    return false;
  return endOfName(reader.codes, start, end) > 0 && foundAt === start;
}

/** True if an unquoted value is a variable named after a secret: `token: authToken`. */
export function isVariableOfSecret(reader: Reader, start: number, end: number, snake: boolean): boolean {
  if (end - start > LONGEST_VALUE || reader.run(start, WORD, end) !== end) return false;
  return (
    endOfName(reader.codes, start, end) > 0 &&
    (isHump(reader.codes, foundAt) || (snake && reader.code(foundAt - 1) === 95))
  );
}

const bitsAt = (codes: Uint16Array, at: number) => CLASSES[codes[at] ?? 0] ?? 0;

const isHump = (codes: Uint16Array, at: number) =>
  at > 0 && (bitsAt(codes, at) & UPPER) !== 0 && (bitsAt(codes, at - 1) & LOWER) !== 0;
