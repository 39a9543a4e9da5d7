import { entryFor } from '../../knowledge/load.ts';
import type { OnlyReads } from '../../knowledge/traits.ts';
import { entryOf } from '../../model/lookup.ts';
import { isReadingAwk, isReadingJq, isReadingSed, WIDE_FIELD } from './languages.ts';
import { type Given, has, isPattern, type Reader, type ReaderTable, textOf } from './reader.ts';

/** The second word names a file to write, and a pattern expands to as many words as there are files. */
const onlyOne = ({ operands }: Given): boolean => operands.length < 2 && !operands.some(isPattern);

/** A line is shorter than that. */
const narrow = ({ options }: Given): boolean =>
  options.every(({ value }) => !/\d{5}/.test(value?.template ?? ''));

/** Compiler tools read more words, and so more files, from a file with such a name. */
const noLists = ({ operands }: Given): boolean => !operands.some(({ template }) => template.startsWith('@'));

const MAX_COUNT = 1_000_000;

function countsBriefly({ operands }: Given): boolean {
  if (!operands.every(isShortNumber)) return false;
  const [first = 1, second = 1, third] = operands.map(({ template }) => Number(template));
  const [from, step, to] =
    third === undefined ? [0, 1, Math.abs(first) + Math.abs(second)] : [first, second, third];
  return step !== 0 && Math.abs((to - from) / step) <= MAX_COUNT;
}

/** A screen or two at most; a longer output keeps the agent waiting. */
const isShortNumber = ({ template }: { readonly template: string }): boolean =>
  /^-?\d{1,6}(?:\.\d{1,3})?$/.test(template);

/** At most two minutes, because the agent waits for it. */
const waitsBriefly = ({ operands }: Given): boolean =>
  operands.length === 1 && /^(?:\d{1,2}|1[01]\d|0?\.\d{1,3}|\d\.\d{1,3})s?$/.test(textOf(operands[0]));

/** Assigns the number of printed bytes to a variable, such as `PATH`, for later commands. */
const SETS = /%[^a-zA-Z%]*[hjlLtz]*n/;
const NUMBER = /%[^a-zA-Z%]*(?![sbqc])[a-zA-Z]/;

/** A wide field exhausts memory, and zsh evaluates arithmetic where a number is expected: `PATH=0`. */
function printsText({ operands }: Given): boolean {
  const format = textOf(operands[0]).replaceAll('%%', '');
  return (
    operands.every((word) => !/[`[]|\$\(/.test(word.template) && !isPattern(word)) &&
    !WIDE_FIELD.test(format) &&
    !SETS.test(format) &&
    !(NUMBER.test(format) && operands.slice(1).some(({ template }) => /=|\+\+|--/.test(template)))
  );
}

/** Tests a single file. Some shells evaluate arithmetic in numbers and variables. */
function isFileTest({ operands }: Given): boolean {
  const words = operands.map(textOf).filter((word) => word !== '!' && word !== ']');
  return words.length === 2 && /^-[edfrwxsLhS]$/.test(words[0] ?? '') && !operands.some(isPattern);
}

type Condition = NonNullable<OnlyReads['if']>;

const CONDITIONS: Readonly<Record<Condition, (given: Given) => boolean>> = {
  narrow,
  'one-file': onlyOne,
  'no-lists': noLists,
  'short-count': countsBriefly,
  'short-wait': waitsBriefly,
  'lists-only': (given) => has(given, ['--list', '-Z']),
  formats: ({ operands }) =>
    operands.every((word) => textOf(word).startsWith('+') && !WIDE_FIELD.test(textOf(word))),
  'looks-up': (given) => has(given, ['-v', '-V']),
  'sed-script': isReadingSed,
  'awk-script': isReadingAwk,
  'jq-script': isReadingJq,
};
const SCRIPTS: ReadonlySet<Condition> = new Set<Condition>(['sed-script', 'awk-script', 'jq-script']);

/** Builtins of the shell. */
const OTHERS: ReaderTable = {
  test: { operands: 'names', bare: true, accepts: isFileTest },
  '[': { operands: 'names', bare: true, accepts: isFileTest },
  cd: {
    operands: 'names',
    accepts: ({ operands }) => operands.length === 1 && textOf(operands[0]) !== '-',
    moves: true,
  },
  echo: { operands: 'text', options: 'n e E', stop: true },
  printf: { operands: 'text', stop: true, accepts: printsText },
  true: { operands: 'text' },
  false: { operands: 'text' },
  ':': { operands: 'text' },
  pwd: { operands: 'none', options: 'L P' },
};

const readers = new Map<OnlyReads, Reader>();

/** How a program reads, if it only reads. */
export function readerFor(name: string): Reader | undefined {
  const known = entryFor(name)?.onlyReads;
  if (known === undefined) return entryOf(OTHERS, name);
  const reader = readers.get(known) ?? readerFrom(known);
  readers.set(known, reader);
  return reader;
}

function readerFrom({ if: condition, ...rest }: OnlyReads): Reader {
  if (condition === undefined) return rest;
  return { ...rest, accepts: CONDITIONS[condition], scripted: SCRIPTS.has(condition) };
}
