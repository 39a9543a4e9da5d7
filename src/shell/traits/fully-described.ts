import { entryFor } from '../../knowledge/load.ts';
import { isShell } from '../../model/shells.ts';
import { rememberPer } from '../../platform/bounded.ts';
import type { SimpleCommand, Word } from '../analysis.ts';
import { describedAs } from '../program-names.ts';
import { isHarmlessOption } from './harmless.ts';
import { isClosed, isObserver, isSifter } from './observers.ts';

/** Repository files relative to its root: `:/`, `:!docs`, `:(top)src`. None is outside it. */
const FROM_THE_TOP = /^:[/!^(]/;

/**
 * True if everything that a program may do to the path in one of its words is known; without a word, to its working
 * directory.
 */
export function isFullyDescribed(command: SimpleCommand, word: Word | null): boolean {
  const { tool, sub } = command;
  if (tool === null) return false;
  // If all options of a program are listed, any other may name a file to write.
  if (isObserver(tool)) return word === null || !isClosed(tool) || knowsOptions(command);
  if (isShell(tool)) return word === null || isAccountedInShell(command, word);
  const { paths } = entryFor(tool) ?? {};
  const some = paths === 'accounted' ? undefined : paths;
  if (some && word !== null && FROM_THE_TOP.test(word.template)) return true;
  // The line contains what a wrapper runs.
  if (word === null && describedAs(tool)?.wraps !== undefined) return true;
  const isEffects = paths === 'accounted' || isSifter(tool);
  if (!(some ? some.on.includes(sub[0] ?? '') : isEffects)) return false;
  return word === null || knowsOptions(command) || (some !== undefined && !/^-.*=/.test(word.template));
}

/** Found once: each word of a command is looked at, and a line may have thousands of words and of options. */
const knowsOptions = rememberPer((command: SimpleCommand) =>
  command.options.every((option) => option.declared || isHarmlessOption(command, option)),
);

/** A script's arguments go to unread code; with `-c`, only `$0` does. */
function isAccountedInShell({ options, operands }: SimpleCommand, word: Word): boolean {
  const isLine = options.some(({ name }) => name === '-c' || name === '--command');
  return isLine ? word !== operands[1] : word === operands[0];
}

/** True if a rule that names this program without arguments means that it reads. */
export function isReader(tool: string | null): boolean {
  return tool !== null && (isObserver(tool) || isSifter(tool));
}
