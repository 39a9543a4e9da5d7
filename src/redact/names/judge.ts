import { UUID } from '../forms/public-tokens.ts';
import { CLASSES, DIGIT, LETTER, LOWER, UNDERSCORE, UPPER, WORD } from '../text/characters.ts';
import type { NameKind } from './name-kinds.ts';

/** How a name and its value stand to each other. */
export type Separator =
  /** `NAME=value` */
  | 'equals'
  /** `name = value`, `name := value` */
  | 'assign'
  /** `name: value` */
  | 'colon'
  /** `<name>value</name>` */
  | 'tag'
  /** `--name value` */
  | 'option'
  /** `name value` */
  | 'blank'
  /** `name is value` */
  | 'is'
  /** `"name", "value"` and `name("value")` */
  | 'argument'
  /** `name == value`, `name => value` */
  | 'compare';

export interface Named {
  readonly kind: NameKind;
  readonly separator: Separator;
  readonly quoted: boolean;
  /** A variable in capitals. */
  readonly capitals: boolean;
  /** In the query of a URL. */
  readonly query: boolean;
  /** A code that is exchanged for a token. */
  readonly exchanged: boolean;
}

/** Length of the part of a value that is judged. */
export const JUDGED = 80;

const SHORTEST = 4;
const SHORTEST_TOKEN = 8;
/** Of a value whose name leaves no doubt. */
export const SHORTEST_CLEAR = 6;
const SHORTEST_KEY = 16;

/**
 * True if the value of a name is a secret. `value` is its start, `whole` whether that is all of it, `behind` the text
 * after it.
 */
export function isSecretValue(named: Named, value: string, whole: boolean, behind: string): boolean {
  if (value.length < SHORTEST || isStandIn(value)) return false;
  const { quoted, separator } = named;
  if (!quoted && separator !== 'tag' && isCode(value, separator, behind)) return false;
  // `['password', 'address']` is a list of names.
  if (separator === 'argument' && !/^\\*["'`]\s*\)/.test(behind)) return false;
  if (whole && (isWord(value) || (quoted && isLabel(value)))) return false;
  return isSecretOf(named, value);
}

/** True if a value is shorter than any of this kind, checked without reading it. */
export function isTooShort(kind: NameKind, separator: Separator, length: number): boolean {
  if (kind === 'key') return length < (separator === 'equals' ? SHORTEST_CLEAR : SHORTEST_KEY);
  if (kind === 'session') return length < SHORTEST_TOKEN;
  return length < (kind === 'token' || kind === 'query' ? SHORTEST_CLEAR : SHORTEST);
}

function isSecretOf(named: Named, value: string): boolean {
  const { kind, separator, quoted } = named;
  switch (kind) {
    case 'secret':
      if (ASSIGNING.has(separator) || isClear(named) || (quoted && separator === 'blank')) return true;
      return quoted ? isNoName(value) : looksLikeCredential(value, SHORTEST_CLEAR);
    case 'pwd':
      if (/^(?:[/~.]|[A-Za-z]:)/.test(value)) return false;
      return separator !== 'blank' || looksLikeCredential(value, SHORTEST_CLEAR);
    case 'token':
      if (separator === 'blank') return named.capitals && looksLikeCredential(value, SHORTEST_KEY);
      if ((named.query && IN_QUERY.test(value)) || (named.capitals && separator === 'equals'))
        return value.length >= SHORTEST_CLEAR;
      return looksLikeCredential(value, isClear(named) ? SHORTEST_CLEAR : SHORTEST_TOKEN);
    case 'key':
      if (named.capitals) return separator === 'equals' && value.length >= SHORTEST_CLEAR;
      if (named.query) return IN_QUERY.test(value) && value.length >= SHORTEST_TOKEN;
      return looksLikeCredential(value, SHORTEST_KEY);
    case 'spoken':
      return separator !== 'blank' && value.length >= SHORTEST_CLEAR && isNoWord(value);
    case 'session':
      return separator === 'equals' && !UUID.test(value) && looksLikeCredential(value, SHORTEST_TOKEN);
    case 'query':
      if (!IN_QUERY.test(value)) return false;
      return named.exchanged || (named.query && looksLikeCredential(value, SHORTEST_TOKEN));
    default:
      return false;
  }
}

/** Has a feature that words in a sentence lack: digits next to letters, an inner capital, a sign. */
export function isNoWord(value: string): boolean {
  if (/[!@#$%^&*~]/.test(value)) return true;
  if (/^.*\d/.test(value) && /^.*\p{L}/u.test(value)) return true;
  // Which characters are capitals takes long to tell: of most values none is.
  return value !== value.toLowerCase() && /\p{Ll}\p{Lu}/u.test(value);
}

const IN_QUERY = /^[\w.~%+/=:@-]+$/;

const ASSIGNING: ReadonlySet<Separator> = new Set(['equals', 'assign', 'colon', 'tag']);

/** Has a feature that names in a program lack. */
function isNoName(value: string): boolean {
  return value.length >= SHORTEST_CLEAR && !value.includes('/') && /\d|[!@#$%^&*~]/.test(value);
}

function isClear({ separator, query }: Named): boolean {
  return query || separator === 'option';
}

/** Stands for a value that is elsewhere, or for none; or is a version, which names of packages have behind them. */
export function isStandIn(value: string): boolean {
  const bits = CLASSES[value.charCodeAt(0)] ?? 0;
  if ((bits & DIGIT) !== 0) return isVersion(value);
  if ((bits & WORD) === 0) return REFERENCE.test(value);
  return MADE_UP_STARTS[startOf(value.charCodeAt(0), value.charCodeAt(1))] === 1 && MADE_UP.test(value);
}

const MADE_UP_WORDS = [
  'your[-_ ]',
  'my[-_]?(?:secret|password|token|api)',
  'xxxx+$',
  'replace[-_ ]?(?:me|this|with)',
  'todo\\b',
  'example$',
  'placeholder',
  'undefined\\b',
  'null\\b',
  'none\\b',
  'op:\\/\\/',
  'arn:aws',
  'vault:',
  'env:',
  'file:',
  'ref:',
  'secretref:',
  'projects\\/',
  ...Array.from('0123456789', (digit) => `v${digit}\\d*\\.\\d`),
  'latest$',
  'workspace:',
  'npm:',
];
const MADE_UP = new RegExp(`^(?:${MADE_UP_WORDS.join('|')})`, 'i');
/** By the first two letters, ignoring case: 1 if a word may begin so. This decides most values. */
const MADE_UP_STARTS = new Uint8Array(32 * 32);
const startOf = (first: number, second: number) => ((first & 31) << 5) | (second & 31);
for (const word of MADE_UP_WORDS) MADE_UP_STARTS[startOf(word.charCodeAt(0), word.charCodeAt(1))] = 1;

const REFERENCE =
  /^(?:\[(?:redacted|private)|\$[A-Za-z_{([]|\$\$|%[A-Za-z_]\w*%|%\(|\{\{|\{%|<[^>]*>?|@[A-Za-z_]+[@.(]|!(?:Ref|Sub|GetAtt|vault)|`|&[A-Za-z_]|\*[A-Za-z]+\b|#\{|[*.…•_#?=~-]{2,}|\|\||&&|\?\?|[{([]|=>|[~^<>=]+ ?\d+(?:\.|$))/;
const VERSION =
  /^(?:\d+\.(?:\d+|x|\*)(?:[.\w+-]*| *\|\|.*| [<>]=?.*)|\d+(?:\.\d+)?(?:px|r?em|m?s|min|h|d|kb|mb|gb|%|pt|vh|vw))$/i;

/** A number with a dot, a letter or a percent sign, such as a version or a length. */
function isVersion(value: string): boolean {
  let at = 1;
  while (((CLASSES[value.charCodeAt(at)] ?? 0) & DIGIT) !== 0) at++;
  const next = value.charCodeAt(at);
  return (next === 46 || next === 37 || ((CLASSES[next] ?? 0) & LETTER) !== 0) && VERSION.test(value);
}

/** What a program writes instead of a value. */
function isCode(value: string, separator: Separator, behind: string): boolean {
  if (separator !== 'equals' && NEGATED.test(value)) return true;
  if (((CLASSES[value.charCodeAt(0)] ?? 0) & (LETTER | UNDERSCORE)) === 0) return false;
  if (CODE.test(value)) return true;
  if (separator === 'equals') return false;
  if (TYPE.test(value) || GENERIC.test(value)) return true;
  // A name that is not a word of a sentence: `password: user.password`, `token = authToken;`
  return IDENTIFIER.test(value) && (PATH.test(value) || /^(?:[,;)\]}.[(?!|&]| [|&?}])/.test(behind));
}

const CODE =
  /^(?:(?:await |new |async )?[A-Za-z_$][\w.$]*(?:<[\w, ]+>)?(?:\(|\[[^\]]*(?:\]|$)|::)|(?:process\.env|import\.meta|os\.environ|ENV\b|env|secrets|vars?|inputs|config|settings|this|self|req|request|props|options|opts|args|ctx|module|local|params?|state|user|body)\.)/;
const TYPE =
  /^(?:string|str|String|number|boolean|bool|any|unknown|never|object|null|nil|None|undefined|void|true|false|True|False|bytes?|Bytes|Buffer|Uint8Array|u8|char|varchar|VARCHAR|TEXT|text|int|integer|float|double|uuid|UUID|required|optional|Optional|Option|SecretStr|Secret|SecretString|Vec|Box|Arc|Promise|Array|Record|Map|Set|Date|Readonly|Partial|keyof|typeof|readonly|const|unique|std|z|v|t|Joi|yup|Schema|Type|await|new|async|function|lambda|yield|return|not)(?![\w-])/;
const NEGATED = /^!!?[A-Za-z_$][\w$.]*$/;
const GENERIC = /^[A-Za-z_$][\w.$]*<[A-Za-z]/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*$/;
const PATH = /[a-z]\??\.[a-zA-Z_]+$/;

const WORDS = new Set(
  (
    'true false null none nil undefined yes no on off string text required optional include omit same-origin always never ' +
    'auto default enabled disabled prompt ask hidden masked input field empty missing invalid valid unset redacted read write admin ' +
    'bearer basic digest oauth oauth2 jwt saml ldap kerberos plain login header query cookie body form json ' +
    'obligatoire requis requise obligatorio obligatoria requerido requerida obrigatório obrigatória erforderlich pflichtfeld ' +
    'verplicht wymagane obbligatoria obligatorisk påkrevd krävs ' +
    'memory disk file env local session remote public private internal external number boolean integer object array'
  ).split(' '),
);

const LONGEST_WORD = Math.max(...[...WORDS].map(({ length }) => length));

/** A word that describes a method, not a secret. */
export function isWord(value: string): boolean {
  return value.length <= LONGEST_WORD + 1 && WORDS.has(value.toLowerCase().replace(/[.!]$/, ''));
}

/** What a description has instead of a password: its type or its purpose. */
export function isTypeOrLabel(value: string): boolean {
  return TYPE.test(value) || isLabel(value);
}

/** Text of a form, a page or a sentence about a secret. */
function isLabel(value: string): boolean {
  if (!value.includes(' ') && !/^[A-Z]?[a-z]+[:?*…]?$/.test(value)) return false;
  return LABEL.test(value) && (!/\d/.test(value) || value.includes('character'));
}

const LABEL =
  /pass ?(?:word|wort|phrase|code)|kennwort|contrase|mot de passe|senha|secret|token|\bkey\b|credential|your|please|enter|must|required|should|cannot|invalid|forgot|optional|characters|the |is not|пароль|密码|密碼|パスワード|비밀번호/i;

/** Letters and digits, and no name of a thing. */
export function looksLikeCredential(value: string, shortest: number): boolean {
  if (value.length < shortest || value.includes(' ')) return false;
  let digits = 0;
  let small = 0;
  let capitals = 0;
  let others = 0;
  let steps = 0;
  let previous = -1;
  for (let at = 0; at < value.length; at++) {
    const bits = CLASSES[value.charCodeAt(at)] ?? 0;
    const kind = (bits & LOWER) !== 0 ? 0 : (bits & UPPER) !== 0 ? 1 : (bits & DIGIT) !== 0 ? 2 : 3;
    if (kind === 0) small += 1;
    else if (kind === 1) capitals += 1;
    else if (kind === 2) digits += 1;
    else others += 1;
    if (previous >= 0 && kind !== previous) steps += 1;
    previous = kind;
  }
  if (NOT_ONE.test(value)) return false;
  const letters = small + capitals;
  if (digits === 0)
    return (
      (small > 0 && capitals > 0 && others === 0 && steps > value.length * 0.4) ||
      isOddWord(value, letters, others)
    );
  if (letters === 0) return digits >= 16 || (others > 0 && !/^[\d.,:;/+*() -]+$/.test(value));
  return true;
}

const NOT_ONE =
  /^(?:https?:\/\/[^@]*$|[./~]|[A-Za-z]:\\|\d{4}-\d\d-\d\d|[\w.-]+\.(?:ts|js|py|go|rs|rb|java|json|ya?ml|toml|md|txt|pem|crt|key|pub|html?|css|sh)$|localhost|(?:\d{1,3}\.){3}\d|[a-z]+(?:[-_.][a-z]+)*[-_.]?v?\d{1,2}$|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d?$|[A-Z]+(?:_[A-Z]+)*_?\d?$|rgba?\(|#[0-9a-f]{3,8}$|u[0-9a-f]{4})/;

/** Long and with no pieces of the length of words, or with signs that names do not have. */
function isOddWord(value: string, letters: number, others: number): boolean {
  return (
    (letters >= 24 && others === 0) ||
    (others > 0 && letters >= 6 && /[!@#$%^&*~]/.test(value) && !/[(){}<>]/.test(value))
  );
}
