import { posix } from 'node:path';
import { entryFor } from '../../../knowledge/load.ts';
import { UNKNOWN, type Word } from '../../analysis.ts';
import type { Call } from '../../call.ts';
import { optionTable } from '../../options.ts';
import type { CodeTable } from '../../tool.ts';
import { composedByFind } from '../../tools/composed.ts';
import { makeWord } from '../../word.ts';
import {
  belowRoot,
  EVERYTHING,
  type Filter,
  filterOf,
  siftedFor,
  siftedForRemoval,
  withoutRecursion,
} from '../../wrappers/filters.ts';
import { fdRoot } from '../../wrappers/listers.ts';
import { isWide, searchOf } from '../../wrappers/searches.ts';

const { dirname } = posix;
const MAX_ROOTS = 4;

function find(call: Call): string {
  const { roots, tests } = searchOf(call.command);
  for (let i = 0; i < tests.length; i++) i = action(call, tests, i, roots);
  const filter = filterOf(tests, false);
  const name = call.walk.nameAmong(roots.map((root) => nameFound(root, filter)));
  const format = tests.findIndex(({ template }) => template === '-printf');
  return format < 0 ? name : composedByFind(tests[format + 1]?.template ?? '', name);
}

/** The pattern of a printed name. */
function nameFound(root: Word, filter: Filter): Word {
  if (!filter.shallow || filter.rootsOnly) return belowRoot(root, filter, false);
  const names = filter.names ?? ['*', '.*'];
  return makeWord(`${root.template.replace(/\/$/, '')}/{${names.join(',')}}`, root.raw, true);
}

/** Returns the last word the test or action at `at` takes. */
function action(call: Call, words: readonly Word[], at: number, roots: readonly Word[]): number {
  const name = words[at]?.template.slice(1) ?? '';
  if (!words[at]?.template.startsWith('-')) return at;
  if (name === 'delete') {
    remove(call, roots, filterOf(words.slice(0, at), isWide(roots, call.cwd, call.walk.home)));
    return at;
  }
  if (name === 'fprint' || name === 'fprint0' || name === 'fls' || name === 'fprintf') {
    call.write(words[at + 1] ?? null);
    return at + (name === 'fprintf' ? 2 : 1);
  }
  if (name === 'exec' || name === 'execdir' || name === 'ok' || name === 'okdir') {
    const end = endOfExec(words, at + 1);
    const filter = filterOf(words.slice(0, at), isWide(roots, call.cwd, call.walk.home));
    const command = withoutRecursion(words.slice(at + 1, end), filter);
    const sifted = siftedFor(filter, command);
    const isThere = name.endsWith('dir');
    const found = (isThere ? roots.map((root) => fromAnywhere(call, root)) : roots).map((root) =>
      belowRoot(root, filter, sifted),
    );
    const run = () => {
      if (found.length > MAX_ROOTS) call.runArgv(withAll(command, found));
      else for (const one of found) call.runArgv(withFound(command, /\{\}/g, one));
    };
    if (isThere) inFoldersBelow(call, roots, run);
    else run();
    return end;
  }
  return takesValue(name) || name.startsWith('newer') ? at + 1 : at;
}

function fromAnywhere(call: Call, root: Word): Word {
  const { path, glob } = call.path(root);
  return path?.startsWith('/') ? makeWord(path, root.raw, glob) : root;
}

/** `-execdir` works in the folder of what is found: above a root that is named, in it, or below it. */
function inFoldersBelow(call: Call, roots: readonly Word[], run: () => void): void {
  const { state } = call;
  const { cwd, within } = state;
  const folders = roots.flatMap((root) => {
    const { path } = call.path(root);
    if (!path?.startsWith('/')) return [];
    const below = path === '/' ? '' : path;
    return [...(/^(?:.*\/)?\.$/.test(root.template) ? [] : [dirname(path)]), path, `${below}/**`];
  });
  state.cwd = null;
  state.within = folders.length > 0 ? [...new Set(folders)] : undefined;
  run();
  state.cwd = cwd;
  state.within = within;
}

/** Tests that take a value: what follows them is never an action. */
function takesValue(name: string): boolean {
  const { short, long } = optionTable(entryFor('find')?.options ?? '');
  return (long.get(name) ?? short.get(name))?.takes === 'value';
}

/** A search without tests deletes the whole directory, file by file. */
function remove(call: Call, roots: readonly Word[], filter: Filter): void {
  const sifted = siftedForRemoval(filter, false);
  for (const root of roots) {
    if (filter.names === null && !sifted) call.remove(root, !filter.rootsOnly, true);
    else call.remove(belowRoot(root, filter, sifted), false, true);
  }
}

function endOfExec(words: readonly Word[], from: number): number {
  for (let i = from; i < words.length; i++) {
    if (words[i]?.text === ';') return i;
    if (words[i]?.text === '+' && words[i - 1]?.text === '{}') return i;
  }
  // An unescaped `;` ended the command; a `+` that does not follow `{}` still counts as an end.
  const plus = words.findIndex((word, i) => i >= from && word.text === '+');
  return plus < 0 ? words.length : plus;
}

/** The command with each placeholder replaced by the results. */
function withFound(command: readonly Word[], marker: RegExp, found: Word): Word[] {
  return command.map((word) =>
    word.template.search(marker) < 0
      ? word
      : makeWord(
          word.template.replace(marker, () => found.template),
          word.raw,
          word.glob || found.glob,
        ),
  );
}

/** The same with all results at once, so that many directories cost only their names. */
function withAll(command: readonly Word[], found: readonly Word[]): Word[] {
  return command.flatMap((word) =>
    word.template === '{}' ? found : withFound([word], /\{\}/g, makeWord(UNKNOWN, '{}')),
  );
}

const FD_MARKER = /\{(?:\/?\.?|\/\/)\}/g;

function fd(call: Call): string {
  const words = call.command.argv;
  const at = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.template));
  const root = fdRoot(call.command);
  if (at > 0) {
    const end = words.findIndex((word, i) => i > at && word.text === ';');
    const command = words.slice(at + 1, end < 0 ? undefined : end);
    const found = belowRoot(root, EVERYTHING, false);
    const filled = withFound(command, FD_MARKER, found);
    if (command.every((word) => word.template.search(FD_MARKER) < 0)) filled.push(found);
    call.runArgv(filled);
  }
  return UNKNOWN;
}

export const FINDERS: CodeTable = { fd, find };
