import type { SimpleCommand, Word } from '../analysis.ts';
import { literal } from '../call.ts';
import { belowRoot, EVERYTHING, type Filter, isRemoval, leftOf, siftedForRemoval } from './filters.ts';

// Programs that list project files without hidden or ignored ones, so never `.git`.

const LISTERS: ReadonlySet<string> = new Set(['fd', 'fdfind']);

/** True if a command only prints file names. */
export function isLister({ tool, sub, options }: SimpleCommand): boolean {
  if (LISTERS.has(tool ?? '')) return !options.some(({ name }) => /^--(?:exec|list)/.test(name));
  if (tool === 'rg') return options.some(({ name }) => name === '--files');
  return tool === 'git' && sub[0] === 'ls-files' && !options.some(({ name }) => GIT_DETAILS.test(name));
}

const GIT_DETAILS = /^(?:--stage|-s|-t|-v|-f|--eol|--debug|--format)$/;

/** Its output as patterns, for the command that runs on it. */
export function listedBy(
  command: SimpleCommand,
  user: readonly Word[],
  between: readonly SimpleCommand[],
): readonly Word[] {
  const { roots, filter: own } = listingOf(command);
  const filter = leftOf(own, between);
  const sifted = isRemoval(user) ? siftedForRemoval(filter, false) : 'surely';
  return roots.map((root) => belowRoot(root, filter, sifted));
}

function listingOf(command: SimpleCommand): { roots: readonly Word[]; filter: Filter } {
  const { tool, operands } = command;
  if (LISTERS.has(tool ?? '')) return { roots: [fdRoot(command)], filter: fdFilter(command) };
  const names = operands.flatMap(({ text }) => (text !== null && /^\*[^/]*$/.test(text) ? [text] : []));
  // `git ls-files '*.ts'` matches names in every directory.
  if (tool === 'git' && names.length > 0 && names.length === operands.length)
    return { roots: [literal('.')], filter: { ...EVERYTHING, names } };
  return { roots: operands.length > 0 ? operands : [literal('.')], filter: EVERYTHING };
}

export function fdRoot({ options, operands }: SimpleCommand): Word {
  const named = options.findLast(({ name }) => name === '--search-path' || name === '--base-directory');
  return named?.value ?? operands[1] ?? literal('.');
}

function fdFilter({ options, operands }: SimpleCommand): Filter {
  const endings = options.flatMap(({ name, value }) => (name === '--extension' ? [value?.text ?? null] : []));
  const names = endings.flatMap((ending) => (ending === null ? [] : [`*.${ending.replace(/^\./, '')}`]));
  const pattern = operands[0]?.text ?? null;
  if (names.length > 0 && names.length === endings.length) return { ...EVERYTHING, names };
  if (operands.length === 0 || pattern === '.' || pattern === '') return EVERYTHING;
  const isPlain = pattern !== null && /^[\w-]{3,}$/.test(pattern);
  return isPlain ? { ...EVERYTHING, names: [`*${pattern}*`] } : { ...EVERYTHING, sieved: true };
}
