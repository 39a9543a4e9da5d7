import { parseScript } from '../syntax/from-unbash.ts';
import type { State } from './state.ts';

/** From here on, a name stands for this text followed by its arguments. */
export function rename(state: State, name: string, text: string): void {
  // `alias ls='ls --color'`: the inner name is the program, not the alias again.
  const isOwn = text.trimStart().split(/[\s;|&]/, 1)[0] === name;
  const { items } = parseScript(`${isOwn ? 'command ' : ''}${text} "$@"`);
  state.functions.set(name, { kind: 'sequence', items });
}

/** The arrays in which bash keeps aliases and the paths of programs. */
export const NAMES_IN_BASH: ReadonlySet<string> = new Set(['BASH_ALIASES', 'BASH_CMDS']);

/** Functions that a shell calls itself when it finds no program. */
export const CALLED_BY_SHELL: ReadonlySet<string> = new Set([
  'command_not_found_handle',
  'command_not_found_handler',
]);
