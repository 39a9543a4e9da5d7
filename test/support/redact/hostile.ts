import type { Form } from '../../../src/redact/forms/form.ts';
import { FORMS } from '../../../src/redact/forms/token-forms.ts';
import { redactCounting } from '../../../src/redact/redact.ts';
import { CLASSES } from '../../../src/redact/text/characters.ts';
import { FORMAT_PIECES } from './hostile-formats.ts';

/** How often a character is looked at, at most; a text that is read again at every word has thousands. */
export const MOST_STEPS = 60;

export const stepsPerCharacter = (text: string): number => redactCounting(text).steps / text.length;

/** Texts that are made to be read again and again, each as long as is asked for. */
const PIECES: Readonly<Record<string, readonly [start: string, piece: string, end?: string]>> = {
  'authorization and blanks': ['authorization:', ' '],
  'password and backslashes': ['password', '\\'],
  'a scheme of dots': ['', 'a.', '://'],
  'many schemes': ['', 'a.a.a://'],
  'URLs in URLs': ['', 'x://a:'],
  'passwords in URLs': ['', 'x://a:b@'],
  'names and signs': ['', 'password='],
  'names and short values': ['', 'password=aa '],
  'names and values': ['', 'password=aaaa '],
  'names and odd values': ['', 'pwd=aaaa1 '],
  'names and words': ['', 'password: aaaa aaaa '],
  'names and types': ['', 'password: string = '],
  'names and blanks': ['', 'token '],
  'names and verbs': ['', 'secret is '],
  'names and subjects': ['', 'password for a '],
  'names and blocks': ['', 'password: |\\n '],
  'quoted names': ['', '"token",'],
  'names and pairs': ['', 'token", "value":"'],
  'open quotes': ['', 'token="'],
  'open quotes of other kinds': ['', 'password:\\\\\\"a password:\'a password:`a password:\\"a '],
  elements: ['', '<password>'],
  'keys of objects': ['', 'key=-'],
  'encoded signs': ['', 'token%3Da'],
  'escaped signs': ['', 'token\\u003da'],
  'tokens without an end': ['', '-eyJ0'],
  'payloads of tokens': ['', '.eyJ'],
  'private keys': ['', '-----BEGIN PRIVATE KEY-----'],
  certificates: ['', '-----BEGIN CERTIFICATE-----\n'],
  'private marks': ['{"a":"', '<private>","b":"', '"}'],
  'curl and users': ['', 'curl -ua '],
  'mysql and passwords': ['', 'mysql -pa '],
  'echo and sudo': ['', 'echo a|sudo -S '],
  'here-strings': ['docker login --password-stdin ', '<<< a '],
  htpasswd: ['', 'htpasswd -b a b '],
  netrc: ['', 'machine a login b password '],
  'password files': ['', ':5432:'],
  'data sources': ['', 'a:@tcp('],
  cookies: ['', 'cookie: a=b\n'],
  schemes: ['', 'authorization: bearer '],
  'digest fields': ['authorization: digest ', 'a="b",'],
  'bearer and bearer': ['', 'bearer '],
  identified: ['', "identified by 'a"],
  assignments: ['', 'a=a '],
  'one long word': ['', 'a1B'],
  'random words': ['', 'aB3xK9mQ2vT7pL4nR8sW '],
  quotes: ['', '"'],
  'escaped quotes': ['', '\\"'],
  blanks: ['', ' '],
  lines: ['', '\n'],
  underscores: ['', '_', '='],
  dashes: ['', 'a-'],
  dollars: ['', '$6$'],
  'other languages': ['', 'пароль='],
};

/** Every beginning that a form has, repeated: alone, and as words. */
const PREFIXES = [...new Set(FORMS.map(({ prefix }) => prefix))];

interface Hostile {
  readonly name: string;
  text(length: number): string;
}

function filled(start: string, piece: string, end: string, length: number): string {
  const room = Math.max(0, length - start.length - end.length);
  return `${start}${piece.repeat(Math.ceil(room / piece.length)).slice(0, room)}${end}`;
}

const ALL_PIECES = Object.entries({ ...PIECES, ...FORMAT_PIECES });

/** The same with no piece that is cut off, so that JSON stays JSON. */
function filledWhole(start: string, piece: string, end: string, length: number): string {
  const room = Math.max(0, length - start.length - end.length);
  return `${start}${piece.repeat(Math.max(1, Math.floor(room / piece.length)))}${end}`;
}

export const HOSTILE: readonly Hostile[] = ALL_PIECES.map(([name, [start, piece, end = '']]) => ({
  name,
  text: (length) => filled(start, piece, end, length),
}));

/** What a piece stands in: lines, strings of JSON, names of JSON, JSON in JSON. */
const AROUND: Readonly<
  Record<string, readonly [start: string, around: (piece: string) => string, end: string]>
> = {
  'on lines': ['', (piece) => `${piece}\n`, ''],
  'as strings': ['[', (piece) => `${JSON.stringify(piece)},`, '0]'],
  'as names': ['{"a":{', (piece) => `${JSON.stringify(piece)}:"abcd1",`, '"b":0}}'],
  'in JSON': ['{"a":"', (piece) => JSON.stringify(`${piece}\n`).slice(1, -1), '"}'],
  'in JSON in JSON': ['{"a":"[', (piece) => JSON.stringify(`${JSON.stringify(piece)},`).slice(1, -1), '0]"}'],
};

/** Every piece in every format that texts come in. */
export const HOSTILE_FORMATS: readonly Hostile[] = Object.entries(AROUND).flatMap(
  ([format, [start, around, end]]) =>
    ALL_PIECES.map(([name, [, piece]]) => ({
      name: `${name} ${format}`,
      text: (length) => filledWhole(start, around(piece), end, length),
    })),
);

const repeated = (name: string, piece: string): Hostile => ({
  name,
  text: (length) => filled('', piece, '', length),
});

export const HOSTILE_PREFIXES: readonly Hostile[] = PREFIXES.flatMap((prefix) =>
  ['', 'a ', '-'].map((behind) => repeated(`${prefix}${behind}`, `${prefix}${behind}`)),
);

/** One of every sort of characters that forms are made of. */
const SORTS = ['a', 'z', 'A', 'Z', '0', '_', '-', '.', '~', '/', '+', '='];

const allowed = (bits: number) => SORTS.filter((sign) => ((CLASSES[sign.charCodeAt(0)] ?? 0) & bits) !== 0);

/** What stands in a secret of this form between its beginning and its last part, as long as it may be. */
function middleOf({ parts }: Form): string {
  return parts
    .slice(0, -1)
    .map((part) => (typeof part === 'string' ? part : (allowed(part.bits)[0] ?? '').repeat(part.most)))
    .join('');
}

/** Every form up to the last character that would make it a secret, and with far more than it needs, of each sort. */
export const HOSTILE_FORMS: readonly Hostile[] = FORMS.flatMap((form) => {
  const last = form.parts.at(-1);
  if (last === undefined || typeof last === 'string') return [];
  const start = form.prefix + middleOf(form);
  return allowed(last.bits).flatMap((sign) => [
    repeated(`${form.prefix}…${sign} too short`, `${start}${sign.repeat(last.least - 1)} `),
    { name: `${form.prefix}…${sign} without end`, text: (length) => filled(start, sign, '', length) },
  ]);
});
