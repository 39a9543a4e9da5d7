import { UNKNOWN } from '../analysis.ts';
import { decodeEscapes } from './print.ts';

// Programs such as sed and awk often turn names from a search into command lines for a shell. The literal parts can
// still be judged: `mv` stays `mv`, whatever the names are.

/** One line of `find -printf`, including the name. */
export function composedByFind(format: string, name: string): string {
  return decodeEscapes(format).replace(/%(?:%|[ACT][\w@+]|-?\d*(?:\.\d+)?\w)/g, (part) => {
    if (part === '%%') return '%';
    return part === '%p' ? name : UNKNOWN;
  });
}

const SUBSTITUTION = /^\s*s([^\w\s\\])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1[gp]*\s*;?\s*$/s;

/** What `sed 's/…/…/'` makes of a line, if the expression matches at its start. Null if unknown. */
export function composedBySed(script: string, line: string): string | null {
  const [, , pattern = '', replacement = ''] = SUBSTITUTION.exec(script) ?? [];
  if (!/^(?:\\?\()?(?:\^|\.\*)/.test(pattern)) return null;
  const text = replacement.replace(/\\(?:n|(\d)|([\s\S]))|&/g, (part, group?: string, letter?: string) => {
    if (part === '\\n') return '\n';
    return part === '&' || group !== undefined ? line : (letter ?? '');
  });
  return /(?:\$|\.\*)(?:\\?\))?$/.test(pattern) ? `${text}\n` : `${text}${line}\n`;
}

const PRINTS = /^[^{}"]*\{\s*(printf?)\s*\(?([^;{}|>]*?)\)?\s*;?\s*\}\s*$/s;
const TOKEN = /"((?:\\.|[^"\\])*)"|(,)|[$\w.[\]+-]+|\s+/g;

/** What an awk program prints per line, if it does nothing else. Null if unknown. */
export function composedByAwk(program: string, line: string): string | null {
  const bare = program.replace(/"(?:\\.|[^"\\])*"/g, (string) => `"${'x'.repeat(string.length - 2)}"`);
  const found = PRINTS.exec(bare);
  if (!found) return null;
  const [, verb = '', listed = ''] = found;
  const from = bare.indexOf(listed, bare.indexOf(verb, bare.indexOf('{')) + verb.length);
  const list = program.slice(from, from + listed.length);
  // `print` alone prints the line.
  if (list.trim() === '') return verb === 'print' ? `${line}\n` : null;
  if (verb === 'printf') {
    const format = /^\s*"((?:\\.|[^"\\])*)"/.exec(list)?.[1];
    return format === undefined ? null : decodeEscapes(format).replace(/%-?\d*(?:\.\d+)?[a-zA-Z]/g, line);
  }
  const text = concatenated(list, line);
  return text === null ? null : `${text}\n`;
}

/** The text of `"a" $1 "b"`. Null for anything but texts and fields in sequence. */
export function concatenated(list: string, line: string): string | null {
  if (list.replace(TOKEN, '') !== '') return null;
  const parts = [...list.matchAll(TOKEN)].map(([token, string, comma]) => {
    if (string !== undefined) return decodeEscapes(string);
    if (comma !== undefined) return ' ';
    return token.trim() === '' ? '' : line;
  });
  return parts.join('');
}
