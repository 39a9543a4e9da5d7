import { isShell } from '../../model/shells.ts';
import { shellWord } from '../../platform/shell-words.ts';

/**
 * Where and when a command in a file runs: `called` on this machine when it is called, `alone` on this machine without
 * being called, as with an installation, a test run or the next session, `elsewhere` in a container or on CI, `tested`
 * as a test, where attacks are mostly examples.
 */
export type Runs = 'called' | 'alone' | 'elsewhere' | 'tested';

/** A command line that stands in a file. */
export interface Line {
  readonly text: string;
  readonly runs: Runs;
}

/** A program and its arguments as one command line; what a shell is given as such is the line. */
export function lineOf(words: readonly string[]): string {
  const [first = '', ...others] = words;
  const at = isShell(first) ? others.findIndex((word) => /^-[a-z]*c$/.test(word)) : -1;
  const given = at < 0 ? undefined : others[at + 1];
  if (given !== undefined) return given;
  return [first, ...others.map(shellWord)].join(' ');
}

/** A text between quotes. */
interface Literal {
  readonly text: string;
  readonly start: number;
  /** Behind the closing quote. */
  readonly end: number;
}

const MOST_LITERALS = 5_000;

/** The texts between quotes, as JSON and most languages write them; each character is looked at once. */
export function literalsIn(code: string): readonly Literal[] {
  const found: Literal[] = [];
  let at = 0;
  while (at < code.length && found.length < MOST_LITERALS) {
    const quote = code.charAt(at);
    if (quote !== '"' && quote !== "'") {
      at += 1;
      continue;
    }
    const end = endOfString(code, at, quote);
    if (code.charAt(end) === quote)
      found.push({ text: unescaped(code.slice(at + 1, end)), start: at, end: end + 1 });
    at = end + 1;
  }
  return found;
}

/** Where the closing quote stands, or the line ends. */
function endOfString(code: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < code.length && code.charAt(at) !== quote && code.charAt(at) !== '\n')
    at += code.charAt(at) === '\\' ? 2 : 1;
  return at;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '' };

/** A quoted text without its escapes. */
export function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

/** A name and the texts that follow it, up to the next name. */
interface Field {
  readonly key: string;
  readonly values: readonly string[];
}

/** The fields of a text in JSON or something like it, be it only a part of one. */
export function fieldsIn(json: string): readonly Field[] {
  const fields: { readonly key: string; readonly values: string[] }[] = [];
  for (const { text, end } of literalsIn(json)) {
    if (/^\s*:/.test(json.slice(end, end + 20))) fields.push({ key: text, values: [] });
    else fields.at(-1)?.values.push(text);
  }
  return fields;
}
