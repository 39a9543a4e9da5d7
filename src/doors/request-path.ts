import { countsAs } from '../knowledge/load.ts';
import type { Phrase } from './phrase.ts';
import { singular, wordsOf } from './text-words.ts';
import { MEANT } from './visit.ts';

/**
 * The meaning of a method if the path says no more. POST adds to a collection, or does what the last part of its path
 * says.
 */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  DELETE: ['delete'],
  PATCH: ['patch'],
  POST: ['add', 'create'],
  PUT: ['put'],
};
const LONGEST_PATH = 2000;

export function changesByMethod(method: string): boolean {
  return Object.hasOwn(METHODS, method);
}

/** No name: a number, a key, a version, or a part that is not known. */
const IDENTIFIER = /^(?:\d[\w-]*|v\d+\w*|[\da-f]{8}-[\da-f-]{20,}|[\w-]{24,}|api|rest|\.+|.*[^\w.-].*)$/i;

/** `POST /v1/projects/7/terminate`: the verb is last, after its object. */
export function readingsOfPath(method: string, url: string, input: Phrase['input']): Phrase['readings'] {
  const parts = partsOf(url);
  const at = verbAt(parts);
  const last = actIn(parts[at]) ?? actIn(input.action ?? input.operation ?? input.op ?? input.type);
  // The other parts are nouns, even if they are spelled like verbs.
  const nouns = parts
    .filter((_, index) => index !== at)
    .flatMap(wordsOf)
    .map(singular)
    .filter((word) => !isVerb(word) && !countsAs('tool', word));
  const starts = method === 'DELETE' || last === null ? methodVerbs(method) : [last];
  return starts.map((start) => [...start, ...nouns]);
}

/** As a server reads it: `%74erminate`, `terminate;x=1` and `7:terminate` are a part `terminate`. */
function partsOf(url: string): readonly string[] {
  const [path = ''] = url.replace(/^(?:[a-z][\w+.-]*:\/\/)?[^/?#]*/i, '').split(/[?#]/, 1);
  return decoded(path.slice(-LONGEST_PATH))
    .replace(/;[^/]*/g, '')
    .split(/[/:?#]/)
    .filter((part) => part !== '' && !IDENTIFIER.test(part));
}

/** Letters and signs that need not be written as numbers. */
function decoded(path: string): string {
  return path.replace(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Position of the verb: last, before a word that confirms it, or next to something shared; -1 without one. */
function verbAt(parts: readonly string[]): number {
  const last = parts.length - 1;
  if (MEANT.test(parts[last] ?? '') && isVerb(parts[last - 1]?.toLowerCase() ?? '')) return last - 1;
  if (actIn(parts[last]) !== null) return last;
  const isBig = (part: string | undefined) => countsAs('noun-big', singular(part?.toLowerCase() ?? ''));
  return parts.findIndex(
    (part, at) =>
      countsAs('request', part.toLowerCase()) &&
      (isBig(parts[at + 1]) || (isBig(parts[at - 1]) && at === last - 1)),
  );
}

function methodVerbs(method: string): readonly (readonly string[])[] {
  return (METHODS[method] ?? []).map((verb) => [verb]);
}

/** The words of a name that is an action, for any method; null for other names. */
function actIn(name: unknown): readonly string[] | null {
  if (typeof name !== 'string' || name.length > LONGEST_NAME) return null;
  const [first = '', ...rest] = wordsOf(name).filter((word, at) => at > 0 || word !== 'do');
  if (isVerb(first) || countsAs('look', first) || countsAs('act', first)) return [first, ...rest];
  const last = rest.at(-1) ?? '';
  return isVerb(last) ? [last, first, ...rest.slice(0, -1)] : null;
}

const LONGEST_NAME = 80;

function isVerb(word: string): boolean {
  return VERBS.some((use) => countsAs(use, word));
}

const VERBS = ['request', 'tool-big', 'tool-live'] as const;
