import { analyse } from '../../shell/analyse.ts';
import type { Analysis, Option, SimpleCommand, Word } from '../../shell/analysis.ts';
import { type WordMatch, wordMatch } from './words.ts';

/** A command as rules write it, parsed by the same parser as the commands it is compared with. */
export interface CommandPattern {
  /** Null for any program. */
  readonly tool: string | null;
  /** The command word as written, for allows, which want it to the letter. */
  readonly word: string;
  readonly words: readonly WordMatch[];
  readonly options: readonly { readonly name: string; readonly value: WordMatch | null }[];
}

/** The pattern, or what is wrong with its text. */
export function parseCommandPattern(text: string): CommandPattern | { readonly problem: string } {
  if (text.trim() === '*') return { tool: null, word: '*', words: [], options: [] };
  const { commands, coverage } = analyse(text, {});
  const [command] = commands;
  if (coverage === 'failed' || !command || command.tool === null) {
    return { problem: `"${text}" is no command that a shell could read` };
  }
  const own = commands.filter((one) => one.depth === command.depth && one.via.length === 0);
  if (own.length > 1) return { problem: `"${text}" is several commands; a pattern is one` };
  return {
    tool: command.tool,
    word: command.argv[0]?.text ?? command.tool,
    words: [...command.sub, ...command.operands.map(template)].map(wordMatch),
    options: command.options.map(({ name, value }) => ({
      name,
      value: value === null ? null : wordMatch(template(value)),
    })),
  };
}

/** Does this command do what the pattern says, whatever else it does? Flags count in any order and spelling. */
export function commandMatches(pattern: CommandPattern, command: SimpleCommand): boolean {
  if (pattern.tool !== null && pattern.tool !== command.tool) return false;
  if (!pattern.options.every((wanted) => command.options.some((option) => optionMatches(wanted, option)))) {
    return false;
  }
  const words = [...command.sub, ...command.operands.map(template)];
  return pattern.words.every((match, at) => {
    const word = words[at];
    return word !== undefined && match(word);
  });
}

function optionMatches(wanted: CommandPattern['options'][number], option: Option): boolean {
  if (wanted.name !== option.name) return false;
  return wanted.value === null || (option.value !== null && wanted.value(template(option.value)));
}

/**
 * Is the whole line nothing but what the patterns name? An allow needs this: one command that is not covered, one
 * word that is not known, one redirection, and it is not the line that was meant.
 */
export function lineIsCovered(patterns: readonly CommandPattern[], analysis: Analysis): boolean {
  if (analysis.coverage !== 'complete' || analysis.commands.length === 0) return false;
  return analysis.commands.every(
    (command) =>
      isPlain(command) &&
      patterns.some((one) => commandMatches(one, command) && one.word === (command.argv[0]?.text ?? '')),
  );
}

function isPlain(command: SimpleCommand): boolean {
  return (
    !command.guessed &&
    command.place === 'local' &&
    command.via.length === 0 &&
    command.assignments.length === 0 &&
    command.argv.every((word) => !word.dynamic) &&
    command.redirects.every(({ operator, target }) => isHarmless(operator, target))
  );
}

function isHarmless(operator: string, target: Word): boolean {
  // `>& 1` joins two streams, but `>& name` writes a file.
  return target.text === '/dev/null' || (operator.endsWith('&') && /^(?:\d+-?|-)$/.test(target.text ?? ''));
}

function template(word: Word): string {
  return word.template;
}
