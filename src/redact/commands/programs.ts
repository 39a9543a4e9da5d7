import { secretUsages } from '../../knowledge/load.ts';
import type { OptionSecret, SecretUsage } from '../../knowledge/secrets.ts';
import { once } from '../../platform/bounded.ts';
import type { Reader } from '../text/reader.ts';

/** Options of any program that read a secret from standard input. */
export const STDIN_OPTIONS: readonly string[] = [
  '--password-stdin',
  '--pass-stdin',
  '--token-stdin',
  '--passphrase-stdin',
  '--with-token',
];

/** Of one program; a few, which are compared faster than they are looked up by a text of their own. */
export type Options = SecretUsage['options'];

/** Secrets that a program takes, with these words after it or with any. */
interface Usage {
  readonly command: RegExp | null;
  readonly options: Options;
}

function usageOf({ on, options }: SecretUsage): Usage {
  return { command: on === undefined ? null : commandOf(on), options };
}

/** `secret set`, also with options before a word, and in a list: `"secret", "set"`. */
function commandOf(commands: readonly string[]): RegExp {
  const gap = '[\\s"\',\\\\]{1,20}';
  const option = `-{1,2}[\\w-]{1,20}(?:=[\\w./@:-]{1,40}|${gap}[\\w./@:][\\w./@:-]{0,40})?${gap}`;
  const next = `${gap}(?:${option}){0,2}`;
  return new RegExp(`^${next}(?:${commands.join('|').replaceAll(' ', next)})(?![\\w:-])`);
}

/** How the option at this position contains a secret; null if it does not. */
export function secretOfOption(
  options: Options,
  reader: Reader,
  start: number,
  end: number,
): OptionSecret | null {
  for (const { name, secret } of options)
    if (name.length === end - start && reader.startsWith(name, start)) return secret;
  return null;
}

/** Other words that describe the word after them. */
const OTHERS = [
  ...['echo', 'printf', 'machine', 'default', 'password', 'account', 'by', 'BY', 'send', 'VALUES', 'values'],
  ...['bearer', 'basic'],
];

/** A word that describes the word after it. */
interface Word {
  readonly text: string;
  /** Of a program; null for other words. */
  readonly usages: readonly Usage[] | null;
}

/** Words by their length, their first and their last letter, so that most words of a text are compared with none. */
interface Words {
  readonly longest: number;
  readonly shapes: Uint16Array;
  readonly byShape: readonly (readonly Word[])[];
}

const known = once((): Words => {
  const programs = new Map(Object.entries(secretUsages()));
  const options = [...programs.values()].flat().flatMap((usage) => usage.options.map(({ name }) => name));
  // Options without a dash tell it, too.
  const texts = new Set([...programs.keys(), ...OTHERS, ...options.filter((name) => /^\w/.test(name))]);
  const longest = Math.max(...[...texts].map(({ length }) => length));
  const shapes = new Uint16Array((longest + 1) << 10);
  const byShape: Word[][] = [[]];
  for (const text of texts) {
    const shape = shapeOf(text.length, text.charCodeAt(0), text.charCodeAt(text.length - 1));
    if (shapes[shape] === 0) shapes[shape] = byShape.push([]) - 1;
    byShape[shapes[shape] ?? 0]?.push({ text, usages: programs.get(text)?.map(usageOf) ?? null });
  }
  return { longest, shapes, byShape };
});

function shapeOf(length: number, first: number, last: number): number {
  return (length << 10) | ((first & 31) << 5) | (last & 31);
}

/** Those of the same shape as the word between these places, mostly none. */
function ofSameShape(codes: Uint16Array, start: number, end: number): readonly Word[] | null {
  const { longest, shapes, byShape } = known();
  if (end - start > longest) return null;
  const index = shapes[shapeOf(end - start, codes[start] ?? 0, codes[end - 1] ?? 0)];
  return index === undefined || index === 0 ? null : (byShape[index] ?? null);
}

/** True for a known word or an authorization scheme here, ignoring case. */
export function isKnownWord(codes: Uint16Array, start: number, end: number): boolean {
  const words = ofSameShape(codes, start, end);
  if (words === null) return false;
  for (const { text } of words) if (isText(text, codes, start)) return true;
  return false;
}

function isText(text: string, codes: Uint16Array, start: number): boolean {
  let at = 0;
  while (at < text.length && ((codes[start + at] ?? 0) | 32) === (text.charCodeAt(at) | 32)) at++;
  return at === text.length;
}

/** The word of a command line that stands here; null for any other. */
export function knownWord(reader: Reader, start: number, end: number): Word | null {
  for (const word of ofSameShape(reader.codes, start, end) ?? [])
    if (reader.startsWith(word.text, start)) return word;
  return null;
}

const LONGEST_COMMAND = 64;

/** How the program that ends here takes secrets; null if it takes none with the words after it. */
export function optionsOf(usages: readonly Usage[], reader: Reader, end: number): UsedOptions | null {
  for (const { command, options } of usages) {
    const match = command?.exec(reader.slice(end, end + LONGEST_COMMAND));
    if (command === null || match) return { options, end: end + (match?.[0].length ?? 0) };
  }
  return null;
}

export interface UsedOptions {
  readonly options: Options;
  /** Behind the words of the command. */
  readonly end: number;
}
