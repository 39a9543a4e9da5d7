import { entryFor, nameBehind } from '../../knowledge/load.ts';
import { entryOf } from '../../model/lookup.ts';
import type { Option, SimpleCommand, Word } from '../analysis.ts';
import { literal } from '../call.ts';
import { optionTable, parseOptions } from '../options.ts';
import { toolName } from '../program-names.ts';
import { makeWord } from '../word.ts';
import { looksOfFind } from './find.ts';
import { GIT_VERBS } from './git.ts';
import { WIDE_FIELD } from './languages.ts';
import { readerFor } from './program-readers.ts';
import { type Given, has, isPattern, type Look, type Reader, type Reading } from './reader.ts';

/**
 * What a command looks at, if its program and each of its options are known to read. Null if it may do anything else.
 * Considers only the words; the caller judges the context.
 */
export function readingOf({ argv }: SimpleCommand): Reading | null {
  const name = argv[0]?.text;
  if (name == null || argv.some(({ dynamic }) => dynamic)) return null;
  if (name === 'git') return ofGit(argv.slice(1));
  if (isVersion(name, argv.slice(1))) return made([]);
  if (name === 'find') {
    const looks = looksOfFind(argv.slice(1));
    return looks && made(looks);
  }
  const reader = readerFor(name);
  const looks = reader ? looksBy(reader, argv.slice(1)) : null;
  return reader && looks ? made(looks, { moves: reader.moves === true }) : null;
}

function made(looks: readonly Look[], more: Partial<Reading> = {}): Reading {
  return { looks, folder: null, moves: false, inRepository: false, compares: false, ...more };
}

/** Similarly named programs and files with a script extension may come from a directory's settings. */
function isVersion(name: string, words: readonly Word[]): boolean {
  const [only, second] = words;
  if (second !== undefined || nameBehind(name) !== undefined || /\.(?!exe$|\d)/i.test(name)) return false;
  return entryFor(toolName(name))?.tellsVersion?.includes(only?.text ?? '') ?? false;
}

const GIT_GLOBALS: ReadonlySet<string | null> = new Set(['--no-pager', '-P', '--no-optional-locks']);

function ofGit(words: readonly Word[]): Reading | null {
  if (words.length === 1 && words[0]?.text === '--version') return made([]);
  let at = 0;
  let folder: Word | null = null;
  for (; at < words.length; at++) {
    if (words[at]?.text === '-C' && folder === null) folder = words[++at] ?? null;
    else if (!GIT_GLOBALS.has(words[at]?.text ?? null)) break;
  }
  const reader = entryOf(GIT_VERBS, words[at]?.text ?? '');
  const looks = reader ? looksBy(reader, words.slice(at + 1)) : null;
  return (
    looks &&
    made(looks.flatMap(inRevision), { folder, inRepository: true, compares: words[at]?.text === 'diff' })
  );
}

/** `HEAD:x` and `:0:x` are earlier versions of x. The revision itself may contain colons, as in `HEAD^{/fix: a}:x`. */
function inRevision(look: Look): readonly Look[] {
  const { template, raw, glob } = look.word;
  const paths = [...template.matchAll(/:/g)].map(({ index }) => template.slice(index + 1) || '.');
  return [look, ...paths.map((path) => ({ ...look, word: makeWord(path, raw, glob) }))];
}

function looksBy(reader: Reader, words: readonly Word[]): readonly Look[] | null {
  const given = sorted(reader, words);
  if (given === null || !(reader.accepts?.(given) ?? true)) return null;
  const { operands } = given;
  if (reader.operands === 'none') return operands.length === 0 ? [] : null;
  if (reader.operands === 'text') return [];
  const at = reader.operands;
  const skip = reader.skipUnless && has(given, reader.skipUnless) ? 0 : (reader.skip ?? 0);
  // Words that are judged by their text must have that text at run time.
  const judged = [...operands.slice(0, skip), ...given.options.flatMap(({ value }) => value ?? [])];
  if (reader.accepts && judged.some(isPattern)) return null;
  const files = operands.slice(skip);
  const here = reader.here === true || (reader.here !== undefined && has(given, reader.here));
  const below = belowOf(reader, given);
  return (files.length === 0 && here ? [literal('.')] : files)
    .filter(({ text }) => text !== '-')
    .map((word) => ({ at, word, below }));
}

function belowOf({ below, follows, visibleUnless }: Reader, given: Given): Look['below'] {
  if (below === undefined || (below !== true && !has(given, below))) return false;
  if (follows === true || (follows !== undefined && has(given, follows))) return 'linked';
  return visibleUnless && !has(given, visibleUnless) ? 'visible' : 'all';
}

/** Null if an option is not in the table, or if its value may really be an option. */
function sorted({ options: spec = '', stop, bare }: Reader, words: readonly Word[]): Given | null {
  if (bare) return { options: [], operands: words, words };
  const options: Option[] = [];
  const operands: Word[] = [];
  const rest = parseOptions(words, 0, optionTable(spec), { stop }, options, operands);
  const isKnown = options.every((option) => option.declared && isInFull(option) && isPlainValue(option));
  return isKnown && !operands.some(isOldOption)
    ? { options, operands: stop ? words.slice(rest) : operands, words }
    : null;
}

/** `tail +5f x` never ends. */
const isOldOption = ({ template }: Word): boolean => /^\+\d*[bcl]?f$/.test(template);

/** An abbreviation here may be another option of the real program. */
function isInFull({ name, raw }: Option): boolean {
  return raw.startsWith('--') ? raw.replace(/=.*$/s, '') === name : /^-[^-]/.test(raw);
}

/** A word that looks like an option may be one, if the option before it was misread. */
function isPlainValue({ value, raw }: Option): boolean {
  if (value === null) return true;
  const isAttached = raw.startsWith('--') ? raw.includes('=') : raw !== value.raw && raw.endsWith(value.raw);
  if (WIDE_FIELD.test(value.template)) return false;
  return !value.dynamic && (isAttached || !value.template.startsWith('-') || /^-\d+$/.test(value.template));
}
