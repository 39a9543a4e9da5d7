import { UNKNOWN, type Word } from '../analysis.ts';

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
  return (escapes ? decodeEscapes(text) : text) + (newline ? '\n' : '');
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
    /\\(?:x([0-9a-fA-F]{1,2})|u\{?([0-9a-fA-F]{1,6})\}?|0?([0-7]{1,3})|([\s\S]))/g,
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
      /%(-?\d*(?:\.\d+)?)([sbdiqcxouXeEfgG%])/g,
      (_, _width, kind: string) => {
        if (kind === '%') return '%';
        const value = values[at++] ?? '';
        if (kind === 's' || kind === 'q') return value;
        if (kind === 'b') return decodeEscapes(value);
        if (kind === 'd' || kind === 'i') return /^-?\d*$/.test(value) ? value || '0' : UNKNOWN;
        return kind === 'c' ? value.slice(0, 1) : UNKNOWN;
      },
    );
    if (at >= values.length || at === before) return output;
  }
  return UNKNOWN;
}
