import type { SimpleCommand, Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { makeWord } from '../word.ts';
import { foundBy } from './find.ts';
import { belowRoot, SOME } from './found.ts';

/** Names of files that commands before this one print, so far as these say where they look. */
export function namesPrinted(call: Call): Word[] {
  return call.command.stdin.sources.flatMap((index) => {
    const command = call.walk.commands[index];
    return command ? printedBy(command) : [];
  });
}

const SEARCHES: ReadonlySet<string> = new Set(['find', 'fd', 'fdfind']);
const GREPS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack']);

function printedBy(command: SimpleCommand): readonly Word[] {
  const { tool, operands } = command;
  if (tool === null) return [];
  if (tool === 'ls' || tool === 'realpath') return operands.filter(({ template }) => template.includes('/'));
  if (SEARCHES.has(tool)) return foundBy(command);
  if (tool === 'locate' || tool === 'mdfind')
    return operands.map(({ template }) => makeWord(`/**/${template}`, template, true));
  return GREPS.has(tool) ? filesMatched(command) : [];
}

function filesMatched({ tool, options, operands }: SimpleCommand): readonly Word[] {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  if (!has('--files-with-matches', '-L', '--files')) return [];
  const files = operands.slice(has('--regexp', '--file', '--files') ? 0 : 1);
  const searches = tool === 'rg' || tool === 'ag' || tool === 'ack' || has('--recursive', '-R');
  return searches ? files.map((root) => belowRoot(root, SOME)) : files;
}
