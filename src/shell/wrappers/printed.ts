import type { SimpleCommand, Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { isUnknown } from '../placeholders.ts';
import type { Walk } from '../walk.ts';
import { makeWord } from '../word.ts';
import { belowRoot, EVERYTHING } from './filters.ts';
import { isLister, listedBy } from './listers.ts';
import { forFound, foundBy, printsNames } from './searches.ts';

/** File names printed by the commands before one. */
interface Printed {
  readonly names: readonly Word[];
  /** True if they print nothing else. */
  readonly exact: boolean;
  /** The command that gets them, without its effects for an empty list. */
  readonly user: readonly Word[];
}

/** Output of the commands before this one, as far as they say where they look. */
export function namesPrinted({ command: { stdin }, walk }: Call, user: readonly Word[]): Printed {
  return namesOf(walk, stdin.sources, user);
}

function namesOf({ commands }: Walk, sources: readonly number[], user: readonly Word[]): Printed {
  const before = sources.flatMap((index) => commands[index] ?? []);
  const [first, ...rest] = before;
  const isFind = first?.tool === 'find' && printsNames(first);
  const exact = first !== undefined && (isFind || isLister(first)) && rest.every(passesOn);
  return {
    names: before.flatMap((command) => printedBy(command, user, rest)),
    exact,
    user: exact && isFind ? forFound(first, user) : user,
  };
}

/** `rm $(find …)` equals `find … | xargs rm`: each such word becomes the search's output. */
export function withSearches(walk: Walk, argv: readonly Word[]): readonly Word[] {
  if (!argv.some(isSearched)) return argv;
  return argv.flatMap((word, at) => {
    const { names, exact } = isSearched(word) && at > 0 ? namesOf(walk, word.sources ?? [], argv) : NOTHING;
    return exact ? names.map((name) => ({ ...name, raw: word.raw, text: null, dynamic: true })) : [word];
  });
}

function isSearched({ sources, template }: Word): boolean {
  return sources !== undefined && isUnknown(template);
}

export const NOTHING: Printed = { names: [], exact: false, user: [] };

const GREPS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack']);
const SIEVES: ReadonlySet<string> = new Set(['sort', 'head', 'tail', 'grep', 'egrep', 'fgrep']);

/** True if every output line is an input line. */
function passesOn({ tool, options, operands, redirects, via }: SimpleCommand): boolean {
  if (tool === null || redirects.length > 0 || via.length > 0) return false;
  if (tool === 'tr') return operands.map(({ text }) => text).join(' ') === '\\n \\0';
  const isGrep = GREPS.has(tool);
  return (
    SIEVES.has(tool) &&
    operands.length <= (isGrep ? 1 : 0) &&
    options.every(({ name, declared }) => declared && !CHANGES_LINES.test(name))
  );
}

const CHANGES_LINES = /^(?:-o|-c|--bytes|--count|--line-number|-H|-b|--files-with-matches|-L|--color)$/;

function printedBy(
  command: SimpleCommand,
  user: readonly Word[],
  between: readonly SimpleCommand[],
): readonly Word[] {
  const { tool, operands } = command;
  if (tool === null) return [];
  if (tool === 'ls' || tool === 'realpath') return operands.filter(({ template }) => template.includes('/'));
  if (tool === 'find') return foundBy(command, user, between);
  if (isLister(command)) return listedBy(command, user, between);
  if (tool === 'locate' || tool === 'mdfind')
    return operands.map(({ template }) => makeWord(`/**/${template}`, template, true));
  return GREPS.has(tool) ? filesMatched(command) : [];
}

export function filesMatched({ tool, options, operands }: SimpleCommand): readonly Word[] {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  if (!has('--files-with-matches', '-L', '--files')) return [];
  const files = operands.slice(has('--regexp', '--file', '--files') ? 0 : 1);
  const searches = tool === 'rg' || tool === 'ag' || tool === 'ack' || has('--recursive', '-R');
  return searches ? files.map((root) => belowRoot(root, EVERYTHING, 'surely')) : files;
}
