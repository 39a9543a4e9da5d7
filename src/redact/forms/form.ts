import { ALNUM, CRYPT, DIGIT, HEX, LOWER, TILDE, TOKEN, UPPER, URL_SAFE, WORD } from '../text/characters.ts';
import type { Reader } from '../text/reader.ts';

/** Names of the classes in a form's body. */
const BODY_CLASSES: Readonly<Record<string, number>> = {
  digit: DIGIT,
  hex: HEX,
  upper: UPPER | DIGIT,
  lower: LOWER | DIGIT,
  alnum: ALNUM,
  word: URL_SAFE,
  base64: TOKEN,
  crypt: CRYPT,
  dotted: TILDE,
};

interface Run {
  readonly bits: number;
  readonly least: number;
  readonly most: number;
  /** Has a digit and a capital, which names of things rarely have. */
  readonly mixed: boolean;
  /** True if no word character may follow: a longer text is something else. */
  readonly whole: boolean;
}

/**
 * A kind of secret with a telling prefix. Reads from left to right and never twice, so the time is linear: a class
 * never contains the literal after it.
 */
export interface Form {
  readonly kind: string;
  readonly prefix: string;
  /** Which character of the prefix it is looked for by: the first that can begin something. */
  readonly anchor: number;
  /** What must stand at this distance after the start of the prefix, which rules out most texts quickly. */
  readonly required: { readonly bits: number; readonly at: number } | null;
  /** So short a prefix that it is one only where nothing of the kind that follows stands before it. */
  readonly alone: boolean;
  /** What must precede the prefix and belongs to the secret. */
  readonly before: Run | null;
  readonly parts: readonly (string | Run)[];
}

/** A part that is not the last must not make a text be read again and again. */
const LONGEST_MIDDLE = 80;

/**
 * From `alnum{30,}`, `hex{24} - hex{34}` and the like: classes with how many of them, and literals, separated by
 * blanks. The last class takes all there is, so that no end of a longer secret is left, unless a `$` says that it
 * ends there.
 */
export function defineForms(kind: string, prefixes: string, body: string, before?: string): readonly Form[] {
  const parts = body.split(' ').map(partOf);
  const first = before === undefined ? null : partOf(before);
  return prefixes.split(' ').map((prefix) => ({
    kind,
    prefix,
    required: requiredOf(prefix, parts[0]),
    anchor: first === null ? 0 : Math.max(0, prefix.search(/\W/)),
    alone: prefix.length <= SHORT_PREFIX && (hasDash(parts[0]) || isWhole(parts[0])),
    before: typeof first === 'string' ? null : first,
    parts,
  }));
}

function requiredOf(prefix: string, part: string | Run | undefined): Form['required'] {
  return typeof part === 'object' ? { bits: part.bits, at: prefix.length + part.least - 1 } : null;
}

const SHORT_PREFIX = 3;

function hasDash(part: string | Run | undefined): boolean {
  return typeof part === 'object' && (part.bits & URL_SAFE) !== 0;
}

const isWhole = (part: string | Run | undefined) => typeof part === 'object' && part.whole;

function partOf(text: string): string | Run {
  const [, name = '', mixed, least = '', comma, most = '', whole] =
    /^(\w+)(!?)\{(\d+)(,?)(\d*)\}(\$?)$/.exec(text) ?? [];
  const bits = BODY_CLASSES[name];
  if (bits === undefined) return text;
  const limit = comma === '' ? least : most;
  return {
    bits,
    least: Number(least),
    most: limit === '' ? LONGEST_MIDDLE : Number(limit),
    mixed: mixed === '!',
    whole: whole === '$',
  };
}

/** The end of the form whose prefix begins here, or -1. */
export function formEnd(reader: Reader, form: Form, from: number): number {
  const { required } = form;
  if (required !== null && (reader.bits(from + required.at) & required.bits) === 0) return -1;
  let at = from + form.prefix.length;
  const last = form.parts.length - 1;
  for (let index = 0; index <= last; index += 1) {
    const part = form.parts[index] ?? '';
    if (typeof part === 'string') {
      if (!reader.startsWith(part, at)) return -1;
      at += part.length;
      continue;
    }
    const limit = at + (index === last ? part.least : part.most);
    const end = reader.runAgain(at, part.bits, Math.min(reader.length, limit));
    if (end - at < part.least || (part.mixed && !isMixed(reader, at, end))) return -1;
    if (part.whole && (reader.bits(end) & WORD) !== 0) return -1;
    at = index === last ? reader.run(end, part.bits) : end;
  }
  return at;
}

function isMixed(reader: Reader, from: number, to: number): boolean {
  let seen = 0;
  for (let at = from; at < to; at++) seen |= reader.bits(at);
  reader.steps += to - from;
  return (seen & DIGIT) !== 0 && (seen & UPPER) !== 0;
}

/** Start of the form whose prefix is here; -1 if its beginning is missing. */
export function formStart(reader: Reader, { before }: Form, from: number): number {
  if (before === null) return from;
  let at = from;
  while (from - at <= before.most && (reader.bits(at - 1) & before.bits) !== 0) at -= 1;
  reader.steps += from - at + 1;
  // In serialized text the letter of an escape directly precedes the next word.
  if (reader.code(at - 1) === 92) at += 1;
  return from - at < before.least || from - at > before.most ? -1 : at;
}
