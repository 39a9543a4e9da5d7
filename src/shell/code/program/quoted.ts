import { UNKNOWN } from '../../analysis.ts';
import { decodeEscapes } from '../../tools/print.ts';
import type { Language } from '../language.ts';
import type { Token, Tokens } from './tokens.ts';

/** State while the quoted texts of a program are read. */
export interface Strings {
  readonly code: string;
  readonly language: Language;
  /** Nesting depth of interpolated texts. */
  readonly nesting: number;
  /** Quotes that are not closed later, so that the rest is not searched each time. */
  readonly unclosed: Set<string>;
  /** Where the next line begins, after the here-documents of this one. */
  jump: number | null;
  readonly tokens: (code: string, language: Language, nesting: number) => Tokens;
}

interface Quoted {
  readonly token: Omit<Token, 'spaced'>;
  readonly end: number;
}

/** How values are interpolated; null if they aren't. */
type Way = Exclude<Language['inserts'], undefined> | null;

const QUOTE = /([rRbBuUfF]{0,2})('''|"""|'|"|`)/y;
const LISTED = /(%[qQwWxiI]?|q[qwxr]?[^\S\n]*)([({[/|!<])/y;
const SUBSTITUTION = /(?:(s|tr|y)|m)([/#|,!~{])/y;
const HERE = /<<[~<-]?[^\S\n]*(["']?)([A-Za-z_]\w*)\1/y;
const SYMBOL = /:([A-Za-z_]\w*[!?]?)/y;
const CLOSER: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']', '<': '>' };
const MAX_NESTING = 4;

function match(pattern: RegExp, code: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(code);
}

const PREFIXES = 'rRbBuUfF';
const STARTS = '\'"`';

/** True if a quoted text may begin here in this language. A quick check before the full one. */
export function mayQuote(code: string, at: number, language: Language): boolean {
  const character = code.charAt(at);
  if (STARTS.includes(character) || character === '/' || character === '<') return true;
  if (PREFIXES.includes(character)) {
    const next = code.charAt(at + 1);
    if (STARTS.includes(next) || (PREFIXES.includes(next) && STARTS.includes(code.charAt(at + 2))))
      return true;
  }
  if (language.sigils) return 'qstym%'.includes(character);
  return language.blocks === 'end' && (character === '%' || character === ':');
}

/** A quoted text that begins here, in any syntax of its language; null if none does. */
export function quotedFrom(strings: Strings, at: number, isValue: boolean): Quoted | null {
  const { code, language } = strings;
  const [whole = '', prefix = '', quote = ''] = match(QUOTE, code, at) ?? [];
  if (quote !== '') return plain(strings, at, at + whole.length, prefix, quote);
  if (!isValue) return null;
  if (code.startsWith('<<', at)) return hereText(strings, at);
  if (language.sigils) {
    const [found, isPair, mark = ''] = match(SUBSTITUTION, code, at) ?? [];
    if (found !== undefined) return substitution(strings, at + found.length, mark, isPair !== undefined);
  }
  if (language.sigils || language.blocks === 'end') {
    const listed = listedText(strings, at);
    if (listed !== null) return listed;
  }
  const [symbol = '', name = ''] = language.blocks === 'end' ? (match(SYMBOL, code, at) ?? []) : [];
  return symbol === '' ? null : { token: { kind: 'text', text: name }, end: at + symbol.length };
}

function plain(strings: Strings, at: number, from: number, prefix: string, quote: string): Quoted | null {
  const { language } = strings;
  const way = wayIn(language, prefix, quote);
  const found = contentOf(strings, from, quote, way);
  if (found === null) return null;
  const shell = quote === '`' && language.backticks;
  return {
    token: textToken(strings, found, /r/i.test(prefix), way, shell),
    end: Math.max(found.end, at + 1),
  };
}

function wayIn({ inserts }: Language, prefix: string, quote: string): Way {
  if (inserts === 'braces') return /f/i.test(prefix) ? inserts : null;
  if (inserts === 'dollar') return quote === '`' ? inserts : null;
  return quote.startsWith("'") ? null : (inserts ?? null);
}

interface Put {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

interface Content {
  readonly from: number;
  readonly to: number;
  readonly end: number;
  readonly put: readonly Put[];
}

/** Content from here to the quote, or to a position. */
function contentOf(strings: Strings, from: number, until: string | number, way: Way): Content | null {
  const { code, language, unclosed } = strings;
  const quote = typeof until === 'string' ? until : null;
  if (quote !== null && unclosed.has(quote)) return null;
  const limit = typeof until === 'number' ? until : code.length;
  const first = quote?.charAt(0);
  const isOneLine = language.oneLine === true && quote?.length === 1 && quote !== '`';
  const put: Put[] = [];
  for (let at = from; at < limit; at++) {
    const character = code.charAt(at);
    if (character === '\\') at++;
    else if (quote !== null && character === first && code.startsWith(quote, at))
      return { from, to: at, end: at + quote.length, put };
    else if (character === '\n' && isOneLine) return { from, to: at, end: at, put };
    else if (way === 'braces' && character === '{' && code[at + 1] === '{') at++;
    else if (way !== null && '{$#@'.includes(character)) {
      const inner = putAt(strings, at, way);
      if (inner === null) continue;
      put.push(inner);
      at = inner.end - 1;
    }
  }
  if (quote === null) return { from, to: limit, end: limit, put };
  unclosed.add(quote);
  return null;
}

const OPENING = {
  braces: /\{/y,
  dollar: /\$\{/y,
  hash: /#\{/y,
  sigils: /\{(?=\$)|[$@]\{|[$@](?=\w)/y,
} as const;
const VARIABLE = /[$@]\w+(?:(?:->)?(?:\[[^\]\n]{0,100}\]|\{[^}\n]{0,100}\}))?/y;

/** A value interpolated here. */
function putAt({ code, unclosed }: Strings, at: number, way: NonNullable<Way>): Put | null {
  const whole = match(OPENING[way], code, at)?.[0];
  if (whole === undefined) return null;
  if (!whole.endsWith('{')) {
    const end = at + (match(VARIABLE, code, at)?.[0].length ?? 1);
    return { at, from: at, to: end, end };
  }
  if (unclosed.has('}')) return null;
  const from = at + whole.length;
  let depth = 1;
  for (let i = from; i < code.length; i++) {
    const character = code.charAt(i);
    if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return { at, from, to: i, end: i + 1 };
  }
  unclosed.add('}');
  return null;
}

function textToken(
  { code, language, nesting, tokens }: Strings,
  { from, to, put }: Content,
  isRaw: boolean,
  way: Way,
  shell: boolean,
): Omit<Token, 'spaced'> {
  const told = (start: number, end: number) => {
    const text = isRaw ? code.slice(start, end) : decodeEscapes(code.slice(start, end));
    return way === 'braces' ? text.replaceAll('{{', '{').replaceAll('}}', '}') : text;
  };
  if (put.length === 0) return { kind: 'text', text: told(from, to), shell };
  const parts: (string | Tokens)[] = [];
  let at = from;
  for (const one of put) {
    parts.push(told(at, one.at));
    // `${name}` in Perl and PHP is `$name`.
    const inner = code.slice(one.from, one.to);
    const value = way === 'sigils' && /^\w/.test(inner) ? `$${inner}` : inner;
    parts.push(nesting >= MAX_NESTING ? UNKNOWN : tokens(value, language, nesting + 1));
    at = one.end;
  }
  parts.push(told(at, to));
  return { kind: 'text', text: UNKNOWN, parts, shell };
}

/** `q(…)`, `qq{…}`, `qw(…)`, `%w[…]`, `%x(…)`. */
function listedText(strings: Strings, at: number): Quoted | null {
  const { code, language, unclosed } = strings;
  const [whole = '', kind = '', opener = ''] = match(LISTED, code, at) ?? [];
  if (whole === '' || kind.startsWith('%') === (language.sigils === true)) return null;
  const closer = CLOSER[opener] ?? opener;
  if (unclosed.has(closer)) return null;
  const from = at + whole.length;
  const way = /^q(?![qx])|^%q/.test(kind) ? null : (language.inserts ?? null);
  const found = contentOf(strings, from, closer, /[wi]/i.test(kind) ? null : way);
  if (found === null) return null;
  const { to, end } = found;
  if (/[wi]/i.test(kind)) {
    const words = code.slice(from, to).split(/\s+/).filter(Boolean);
    return { token: { kind: 'text', text: words.join(' '), words }, end };
  }
  return { token: textToken(strings, found, false, way, /x/.test(kind)), end };
}

/** `s/…/…/`, `m/…/`: nothing is interpolated in them. */
function substitution(strings: Strings, from: number, mark: string, isPair: boolean): Quoted | null {
  const closer = CLOSER[mark] ?? mark;
  const first = contentOf(strings, from, closer, null);
  if (first === null) return null;
  const token = { kind: 'name', text: '/' } as const;
  if (!isPair) return { token, end: first.end };
  const again = closer === mark ? first.end : strings.code.indexOf(mark, first.end) + 1;
  const second = again === 0 ? null : contentOf(strings, again, closer, null);
  return { token, end: (second ?? first).end };
}

/** `<<~END`: a here-document. */
function hereText(strings: Strings, at: number): Quoted | null {
  const { code, language, unclosed } = strings;
  const [whole = '', quote, word = ''] = match(HERE, code, at) ?? [];
  if (whole === '' || !language.heres || unclosed.has('<<')) return null;
  const line = strings.jump ?? code.indexOf('\n', at) + 1;
  const found = line === 0 ? null : new RegExp(`^[ \\t]*${word}\\b`, 'm').exec(code.slice(line));
  if (found === null) {
    unclosed.add('<<');
    return null;
  }
  const to = line + found.index;
  const after = code.indexOf('\n', to);
  strings.jump = after < 0 ? code.length : after + 1;
  const way = quote === "'" ? null : (language.inserts ?? null);
  const content = contentOf(strings, line, to, way);
  if (content === null) return null;
  return { token: textToken(strings, content, quote === "'", way, false), end: at + whole.length };
}
