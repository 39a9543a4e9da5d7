import { entryFor } from '../../knowledge/load.ts';
import { isShell } from '../../model/shells.ts';
import { rememberPer } from '../../platform/bounded.ts';
import type { SimpleCommand, Word } from '../analysis.ts';
import { describedAs } from '../program-names.ts';
import { isHarmlessOption } from './harmless.ts';
import { isClosed, isObserver, isSifter } from './observers.ts';

/** Files of the repository, named from its top: `:/`, `:!docs`, `:(top)src`. None lies outside of it. */
const FROM_THE_TOP = /^:[/!^(]/;

/**
 * Whether everything is known that a program may do to the place that one of its words names; without a word, to the
 * folder that it runs in.
 */
export function isFullyDescribed(command: SimpleCommand, word: Word | null): boolean {
  const { tool, sub } = command;
  if (tool === null) return false;
  // Where all options of a program are listed, one that is not may name a file to write.
  if (isObserver(tool)) return word === null || !isClosed(tool) || knowsOptions(command);
  if (isShell(tool)) return word === null || isAccountedInShell(command, word);
  const { paths } = entryFor(tool) ?? {};
  const some = paths === 'accounted' ? undefined : paths;
  if (some && word !== null && FROM_THE_TOP.test(word.template)) return true;
  // What a wrapper runs stands in the line as well.
  if (word === null && describedAs(tool)?.wraps !== undefined) return true;
  const isEffects = paths === 'accounted' || isSifter(tool);
  if (!(some ? some.on.includes(sub[0] ?? '') : isEffects)) return false;
  return word === null || knowsOptions(command) || (some !== undefined && !/^-.*=/.test(word.template));
}

/** Found once: each word of a command is looked at, and a line may have thousands of words and of options. */
const knowsOptions = rememberPer((command: SimpleCommand) =>
  command.options.every((option) => option.declared || isHarmlessOption(command, option)),
);

/** A script's arguments go to unread code; of a line in `-c`, only its name, `$0`, does. */
function isAccountedInShell({ options, operands }: SimpleCommand, word: Word): boolean {
  const isLine = options.some(({ name }) => name === '-c' || name === '--command');
  return isLine ? word !== operands[1] : word === operands[0];
}

/** True if a rule that names this program without arguments means that it reads. */
export function isReader(tool: string | null): boolean {
  return tool !== null && (isObserver(tool) || isSifter(tool));
}
