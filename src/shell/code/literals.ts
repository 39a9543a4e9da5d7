import { UNKNOWN } from '../analysis.ts';
import { hasUnknown } from '../marks.ts';
import { decodeEscapes } from '../tools/print.ts';
import { HOME, homeIn } from './home.ts';

/** One argument of a call: a string, a list of strings, or something that cannot be known (`UNKNOWN`). */
export type Argument = string | readonly string[];

/** What stands behind the last of these is something that cannot be known. */
const MAX_ARGUMENTS = 64;
const MAX_ITEMS = 1_000;
const MAX_PARTS = 200;
const MAX_EXPRESSION = 1000;

/** Calls that only wrap a path: what counts is the string inside. */
const WRAPPING =
  /(?:[\w$]+\.)*(?:expanduser|expandvars|abspath|realpath|Path|PurePath|Pathname|resolve|normalize|String|fileURLToPath|expand_path|File|URL|URI|Request|parse|glob|iglob)(?:\.new)?\s*\(\s*/y;
/** A new folder, under whatever name. */
const TEMPORARY =
  /(?:tempfile\.mkdtemp|(?:[\w$]+\.)*fs\.mkdtempSync|Dir\.mktmpdir|Deno\.makeTempDirSync)\s*\(/y;
/** Then it is whatever the program says. */
const REDEFINED =
  /(?:mkdtemp\w*|mktmpdir|makeTempDirSync|\btempfile)\s*=(?!=)|\b(?:def|class|function|module)\s+(?:mkdtemp|mktmpdir|tempfile|Dir\b|fs\b)/;
const NEW_FOLDER = '/tmp/tmp.new';
const JOINING = /(?:[\w$]+\.)*join\s*\(\s*/y;
const IDENTIFIER = /[$@]?[A-Za-z_]\w*/y;
const GAP = /\s*/y;

/** The arguments of the call whose `(` stands before `at`. */
export function argumentsAt(code: string, at: number, bound: Bound = NOTHING_BOUND): Argument[] {
  const out: Argument[] = [];
  let i = at;
  while (out.length < MAX_ARGUMENTS) {
    const found = argumentAt(code, i, 0, bound);
    out.push(found.value);
    i = skip(code, found.end, GAP);
    if (code[i] !== ',' && !code.startsWith('=>', i)) return out;
    i++;
  }
  return [...out, UNKNOWN];
}

/** What a variable is in one turn of a loop. */
export type Bound = ReadonlyMap<string, string>;
const NOTHING_BOUND: Bound = new Map();

interface Found {
  readonly value: Argument;
  readonly end: number;
}

function argumentAt(code: string, at: number, depth: number, bound: Bound): Found {
  let i = skip(code, at, GAP);
  if (code[i] === '[' || (code[i] === '(' && depth === 0)) return listAt(code, i, bound);
  let text = '';
  for (let parts = 0; ; parts++) {
    if (parts === MAX_PARTS) return { value: text + UNKNOWN, end: endOfExpression(code, i) };
    const part = scalarAt(code, i, depth, bound);
    text += part.text;
    i = skip(code, part.end, GAP);
    // `+` in most languages, `.` in Perl and PHP, `..` in Lua, nothing in Python and Ruby.
    const operator = /^(?:\+|\.\.?(?![\w])|\/(?=\s*['"]))\s*/.exec(code.slice(i, i + 8))?.[0];
    if (operator?.startsWith('/')) text += '/';
    if (operator !== undefined) i += operator.length;
    else if (!part.literal || !/^['"]/.test(code.slice(i, i + 1))) break;
  }
  return { value: text, end: i };
}

export function listAt(code: string, at: number, bound: Bound = NOTHING_BOUND): Found {
  const items: string[] = [];
  let i = at + 1;
  while (items.length < MAX_ITEMS) {
    i = skip(code, i, GAP);
    if (i >= code.length || code[i] === ']' || code[i] === ')') return { value: items, end: i + 1 };
    const found = argumentAt(code, i, 1, bound);
    items.push(typeof found.value === 'string' ? found.value : UNKNOWN);
    i = skip(code, found.end, GAP);
    if (code[i] !== ',') return { value: items, end: code[i] === ']' || code[i] === ')' ? i + 1 : i };
    i++;
  }
  return { value: [...items, UNKNOWN], end: i };
}

interface Scalar {
  readonly text: string;
  readonly end: number;
  readonly literal: boolean;
}

function scalarAt(code: string, at: number, depth: number, bound: Bound): Scalar {
  const string = stringAt(code, at);
  if (string) return string;
  const unknown = { text: UNKNOWN, end: endOfExpression(code, at), literal: false };
  if (depth > 3) return unknown;
  if (matchAt(TEMPORARY, code, at) !== null && !REDEFINED.test(code)) return { ...unknown, text: NEW_FOLDER };
  const inner = matchAt(WRAPPING, code, at) ?? matchAt(JOINING, code, at);
  if (inner !== null) {
    const start = at + inner.length;
    const args = argumentsAt(code, start, bound).map((value) =>
      typeof value === 'string' ? value : UNKNOWN,
    );
    return {
      text: inner.includes('join') ? args.join('/') : (args[0] ?? UNKNOWN),
      end: unknown.end,
      literal: false,
    };
  }
  const name = matchAt(IDENTIFIER, code, at);
  if (name === HOME) return { text: '~', end: at + name.length, literal: false };
  if (name !== null && !/[\w.([]/.test(code[at + name.length] ?? '')) {
    const value =
      bound.get(name) ?? constant(code, name, Math.max(depth + 1, CONSTANT_DEPTH)) ?? iterated(code, name);
    return value === null ? unknown : { text: value, end: at + name.length, literal: false };
  }
  return unknown;
}

/** So deep that a name in a name's value is not followed for ever. */
const CONSTANT_DEPTH = 3;

/** The string a name was given, when it was given one exactly once. */
export function constant(code: string, name: string, depth = CONSTANT_DEPTH): string | null {
  if (name === '' || name === HOME) return null;
  const at = assignedAt(code, name);
  if (at === null) return null;
  const { value } = argumentAt(code, at, depth, NOTHING_BOUND);
  return typeof value === 'string' && value !== '' && !hasUnknown(value) ? value : null;
}

/** Behind the sign of the only assignment to a name. */
const assignedAt = ofLastText((code, name) => {
  const escaped = name.replace(/\$/g, '\\$');
  const found = [...code.matchAll(new RegExp(`(?<![\\w$.])${escaped}\\s*=(?!=)\\s*`, 'g'))];
  const [only] = found;
  return found.length !== 1 || only === undefined ? null : only.index + only[0].length;
});

/** Programs use the same few names again and again, and each answer is a pass over the whole text. */
function ofLastText<V>(find: (code: string, name: string) => V): (code: string, name: string) => V {
  let text = '';
  const known = new Map<string, V>();
  return (code, name) => {
    if (code !== text) known.clear();
    text = code;
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = find(code, name);
    known.set(name, found);
    return found;
  };
}

/** What a loop goes through, as a pattern: `for p in Path('/x').rglob('*')` is `/x/**`. */
export const iterated: (code: string, name: string) => string | null = ofLastText((code, name) => {
  if (!/^[A-Za-z_]\w*$/.test(name)) return null;
  const over = new RegExp(
    `\\bfor\\s+(?:\\(?\\w+,\\s*)*${name}\\b[^\\n:]{0,20}?\\s+in\\s+([^\\n:\\]]{1,200})`,
  ).exec(code)?.[1];
  const [, verb] = /\b(rglob|walk|glob|iglob|iterdir|listdir|scandir)\(/.exec(over ?? '') ?? [];
  if (over === undefined || verb === undefined) return null;
  const root = over.includes(HOME) ? '~' : /['"]([^'"]+)['"]/.exec(over)?.[1];
  if (root === undefined) return null;
  if (/glob$/.test(verb) && /[*?]/.test(root)) return root;
  return `${root.replace(/\/$/, '')}/${verb === 'rglob' || verb === 'walk' ? '**' : '*'}`;
});

/** A quoted string, with `UNKNOWN` for what is put into it at run time. */
function stringAt(code: string, at: number): Scalar | null {
  const opening = /^([rRbBuUfF]{0,2})('''|"""|'|"|`)/.exec(code.slice(at, at + 6));
  if (!opening) return percentString(code, at);
  const [whole, prefix = '', quote = ''] = opening;
  let end = at + whole.length;
  // It ends at the next quote of its kind, so that reading all of them is one pass.
  while (end < code.length && !code.startsWith(quote, end)) end += code[end] === '\\' ? 2 : 1;
  let text = code.slice(at + whole.length, end);
  if (!/r/i.test(prefix)) text = decodeEscapes(text);
  text = homeIn(text);
  if (/f/i.test(prefix)) text = text.replace(/\{[^{}]*\}/g, UNKNOWN);
  if (quote === '`' || quote === '"') text = text.replace(/[#$]\{[^{}]*\}/g, UNKNOWN);
  return { text, end: Math.min(code.length, end + quote.length), literal: true };
}

/** `q(…)`, `qq{…}`, `%q(…)`, `%w[…]`. */
function percentString(code: string, at: number): Scalar | null {
  const opening = /^(?:%[qQwWx]?|q[qwx]?)([({[/|])/.exec(code.slice(at, at + 4));
  if (!opening) return null;
  const close = { '(': ')', '{': '}', '[': ']' }[opening[1] ?? ''] ?? opening[1] ?? '';
  const end = code.indexOf(close, at + opening[0].length);
  if (end < 0) return null;
  return { text: code.slice(at + opening[0].length, end), end: end + 1, literal: true };
}

/** The end of an argument we do not understand: the comma or bracket after it. */
function endOfExpression(code: string, at: number): number {
  let depth = 0;
  const limit = Math.min(code.length, at + MAX_EXPRESSION);
  for (let i = at; i < limit; i++) {
    const character = code.charAt(i);
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth < 0) return i;
    else if (depth === 0 && (character === ',' || character === ';' || character === '\n')) return i;
  }
  return limit;
}

function skip(code: string, at: number, pattern: RegExp): number {
  return at + (matchAt(pattern, code, at)?.length ?? 0);
}

function matchAt(pattern: RegExp, code: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0] ?? null;
}
