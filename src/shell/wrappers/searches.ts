import type { SimpleCommand, Word } from '../analysis.ts';
import { literal } from '../call.ts';
import { makeWord } from '../word.ts';
import { belowRoot, filterOf, leftOf, siftedFor, withoutRecursion } from './filters.ts';

/** Starting points of `find`, its tests and its actions. */
interface Search {
  readonly roots: readonly Word[];
  readonly tests: readonly Word[];
}

export function searchOf(command: SimpleCommand): Search {
  const words = command.argv.slice(1);
  const roots: Word[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const text = words[at]?.template ?? '';
    const isOption = /^-(?:[HLPEXdsx]+|O\d)$/.test(text);
    if (text === '-f' && words[at + 1]) roots.push(...words.slice(++at, at + 1));
    else if (!isOption && /^[-(!]/.test(text)) break;
    else if (!isOption && words[at]) roots.push(...words.slice(at, at + 1));
  }
  if (roots.length === 0) roots.push(literal('.'));
  return { roots: roots.map((root) => (follows(words) ? throughLinks(root) : root)), tests: words.slice(at) };
}

/** True if it follows links to directories. */
function follows(words: readonly Word[]): boolean {
  return words.some(({ template }) => /^-(?:[HPEXdsx]*L[HPEXdsx]*|follow)$/.test(template));
}

const PROCESSES = /^\/proc(?:\/([^/]+))?\/?$/;

/** In a process directory, links lead to its working directory. */
function throughLinks(root: Word): Word {
  const found = PROCESSES.exec(root.template);
  return found ? makeWord(`/proc/${found[1] ?? '[0-9]*'}/cwd`, root.raw, true) : root;
}

/** Output of a search as patterns, after the filters of the commands in between. */
export function foundBy(
  command: SimpleCommand,
  user: readonly Word[],
  between: readonly SimpleCommand[],
): Word[] {
  const { roots, tests } = searchOf(command);
  const filter = leftOf(filterOf(tests, isWide(roots, command.cwd, null)), between);
  const sifted = siftedFor(filter, user);
  return roots.map((root) => belowRoot(root, filter, sifted));
}

/** A command that runs only on the results of a search. */
export function forFound(command: SimpleCommand, user: readonly Word[]): readonly Word[] {
  return withoutRecursion(user, filterOf(searchOf(command).tests, false));
}

/** True if it prints all names that it finds, and nothing else. */
export function printsNames(command: SimpleCommand): boolean {
  const { tests } = searchOf(command);
  return !tests.some(({ template }) => OTHER_OUTPUT.test(template));
}

const OTHER_OUTPUT = /^-(?:printf|ls|exec|execdir|ok|okdir)$/;

/** True if a search covers a home directory or a parent of one. */
export function isWide(roots: readonly Word[], cwd: string | null, home: string | null): boolean {
  if (cwd === null || cwd === home || cwd === '/') return true;
  const isElsewhere = (path: string) => /^[/~]/.test(path) && !`${path}/`.startsWith(`${cwd}/`);
  return roots.some(({ template }) => isElsewhere(template) || /(?:^|\/)\.\.(?:\/|$)/.test(template));
}
