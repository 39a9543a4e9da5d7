import { UNKNOWN, type Word } from '../analysis.ts';
import { hasUnknown } from '../placeholders.ts';

/** What `echo` prints, as a template. */
export function echo(words: readonly Word[]): string {
  let from = 0;
  let newline = true;
  let escapes = false;
  for (; from < words.length; from++) {
    const flags = words[from]?.text;
    if (!flags || !/^-[neE]+$/.test(flags)) break;
    if (flags.includes('n')) newline = false;
    escapes = flags.includes('e') || (escapes && !flags.includes('E'));
  }
  const text = words
    .slice(from)
    .map((word) => word.template)
    .join(' ');
  const [shown = '', isCut] = escapes ? uncut(text) : [text, false];
  return (escapes ? decodeEscapes(shown) : shown) + (newline && !isCut ? '\n' : '');
}

/** `\c` ends the output; also returns whether it occurs. */
function uncut(text: string): readonly [string, boolean] {
  const end = /^(?:[^\\]|\\[^c])*?(?=\\c)/s.exec(text)?.[0];
  return end === undefined ? [text, false] : [end, true];
}

const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** Backslash escapes as `echo -e`, `printf`, awk and most languages know them. */
export function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|[uU]\{?([0-9a-fA-F]{1,8})\}?|0?([0-7]{1,3})|([\s\S]))/g,
    (whole: string, hex?: string, unicode?: string, octal?: string, letter?: string) => {
      if (letter !== undefined) return NAMED[letter] ?? whole;
      const code = hex ?? unicode;
      const value = code === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(code, 16);
      return value > 0x10ffff ? whole : String.fromCodePoint(value);
    },
  );
}

const MAX_ROUNDS = 64;

/** What `printf` prints, as a template. */
export function printf(words: readonly Word[]): string {
  const [format, ...rest] = words;
  if (format === undefined) return '';
  if (format.dynamic) return UNKNOWN;
  const values = rest.map((word) => word.template);
  let output = '';
  let at = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = at;
    output += decodeEscapes(format.template).replace(
      /%(-?)(\d*)(?:\.(\d+))?([sbdiqcxouXeEfgG%])|%[^a-zA-Z%]*[a-zA-Z]?/g,
      (_, left?: string, width?: string, most?: string, kind?: string) => {
        if (kind === '%') return '%';
        const value = values[at++] ?? '';
        if (kind === undefined) return UNKNOWN;
        return padded(shaped(kind, value, most), left === '-', Number(width ?? 0));
      },
    );
    if (at >= values.length || at === before) return output;
  }
  return UNKNOWN;
}

function shaped(kind: string, value: string, most: string | undefined): string {
  const cut = (text: string) => (most === undefined || hasUnknown(text) ? text : text.slice(0, Number(most)));
  if (kind === 's' || kind === 'q') return cut(value);
  if (kind === 'b') return cut(decodeEscapes(uncut(value)[0]));
  if (kind === 'd' || kind === 'i') return /^-?\d*$/.test(value) ? value || '0' : UNKNOWN;
  return kind === 'c' ? value.slice(0, 1) : UNKNOWN;
}

const MAX_WIDTH = 200;

function padded(text: string, isLeft: boolean, width: number): string {
  if (width <= text.length || hasUnknown(text)) return text;
  const most = Math.min(width, MAX_WIDTH);
  return isLeft ? text.padEnd(most) : text.padStart(most);
}
