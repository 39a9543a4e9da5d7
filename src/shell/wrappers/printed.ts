import type { SimpleCommand, Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { makeWord } from '../word.ts';
import { foundBy, printsNames } from './find.ts';
import { belowRoot, EVERYTHING } from './found.ts';

/** Names of files that the commands before one print. */
interface Printed {
  readonly names: readonly Word[];
  /** They print nothing else. */
  readonly exact: boolean;
}

/** What the commands before this one print, so far as these say where they look, for the command that gets it. */
export function namesPrinted({ command: { stdin }, walk }: Call, user: readonly Word[]): Printed {
  const commands = stdin.sources.flatMap((index) => walk.commands[index] ?? []);
  const [first, ...rest] = commands;
  return {
    names: commands.flatMap((command) => printedBy(command, user, rest.length > 0)),
    exact:
      first !== undefined && SEARCHES.has(first.tool ?? '') && printsNames(first) && rest.every(passesOn),
  };
}

const SEARCHES: ReadonlySet<string> = new Set(['find', 'fd', 'fdfind']);
const GREPS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack']);
const SIEVES: ReadonlySet<string> = new Set(['sort', 'head', 'tail', 'grep', 'egrep', 'fgrep']);

/** Whether each line that comes out of it has gone into it. */
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

function printedBy(command: SimpleCommand, user: readonly Word[], sieved: boolean): readonly Word[] {
  const { tool, operands } = command;
  if (tool === null) return [];
  if (tool === 'ls' || tool === 'realpath') return operands.filter(({ template }) => template.includes('/'));
  if (SEARCHES.has(tool)) return foundBy(command, user, sieved);
  if (tool === 'locate' || tool === 'mdfind')
    return operands.map(({ template }) => makeWord(`/**/${template}`, template, true));
  return GREPS.has(tool) ? filesMatched(command) : [];
}

function filesMatched({ tool, options, operands }: SimpleCommand): readonly Word[] {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  if (!has('--files-with-matches', '-L', '--files')) return [];
  const files = operands.slice(has('--regexp', '--file', '--files') ? 0 : 1);
  const searches = tool === 'rg' || tool === 'ag' || tool === 'ack' || has('--recursive', '-R');
  return searches ? files.map((root) => belowRoot(root, EVERYTHING, 'surely')) : files;
}
