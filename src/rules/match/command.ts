import { analyse } from '../../shell/analyse.ts';
import type { Analysis, Option, SimpleCommand, Word } from '../../shell/analysis.ts';
import { isPlainLine } from '../../shell/shape.ts';
import { isReader } from '../../shell/traits/fully-described.ts';
import { isHarmlessOption, takesGoals } from '../../shell/traits/harmless.ts';
import { type WordMatch, wordMatch } from './word-match.ts';

/** A command in rule syntax, parsed like the commands it is compared with. Plain data that the build stores. */
export interface CommandText {
  /** Null for any program. */
  readonly tool: string | null;
  /** The command word as written, because allows need an exact match. */
  readonly word: string;
  readonly words: readonly string[];
  readonly options: readonly { readonly name: string; readonly value: string | null }[];
}

/** The same, compiled for matching. */
export interface CommandPattern extends Pick<CommandText, 'tool' | 'word'> {
  readonly words: readonly WordMatch[];
  readonly options: readonly { readonly name: string; readonly value: WordMatch | null }[];
}

/** Parses a command pattern, or returns the problem with it. */
export function readCommand(text: string): CommandText | { readonly problem: string } {
  const { commands, coverage } = analyse(text, {});
  const [command] = commands;
  const isAny = command?.argv[0]?.text === '*';
  if (coverage === 'failed' || coverage === 'over-budget' || !command || (command.tool === null && !isAny)) {
    return { problem: `"${text}" can't be parsed as a shell command` };
  }
  const own = commands.filter((one) => one.depth === command.depth && one.via.length === 0);
  if (own.length > 1) return { problem: `"${text}" has several commands; use one pattern per command` };
  return {
    tool: isAny ? null : command.tool,
    word: command.argv[0]?.text ?? command.tool ?? '',
    words: [...command.sub, ...command.operands.map(template)],
    options: command.options.map(({ name, value }) => ({ name, value: value && template(value) })),
  };
}

export function commandPattern({ tool, word, words, options }: CommandText): CommandPattern {
  return {
    tool,
    word,
    words: words.map(wordMatch),
    options: options.map(({ name, value }) => ({ name, value: value === null ? null : wordMatch(value) })),
  };
}

/** The pattern, or the problem with its text. */
export function parseCommandPattern(text: string): CommandPattern | { readonly problem: string } {
  const read = readCommand(text);
  return 'problem' in read ? read : commandPattern(read);
}

/** True if the command does what the pattern says, among other things. Flags match in any order and spelling. */
export function commandMatches(pattern: CommandPattern, command: SimpleCommand): boolean {
  return matchesBy(mayMatch, pattern, command);
}

/** The same for exceptions, which a guess must not widen. */
export function commandSurelyMatches(pattern: CommandPattern, command: SimpleCommand): boolean {
  return matchesBy(optionMatches, pattern, command);
}

function matchesBy(isOption: typeof mayMatch, pattern: CommandPattern, command: SimpleCommand): boolean {
  return (pattern.tool === null || pattern.tool === command.tool) && wordsMatch(pattern, command, isOption);
}

/** The same for the words after the program's name. */
export function wordsMatch(
  { words, options }: Pick<CommandPattern, 'words' | 'options'>,
  command: SimpleCommand,
  isOption: typeof mayMatch = mayMatch,
): boolean {
  // Loops, because every pattern of every rule is compared with every command, and closures would be allocated for
  // each.
  for (let at = 0; at < words.length; at += 1) {
    const word = wordAt(command, at);
    if (word === undefined || words[at]?.(word) !== true) return false;
  }
  for (const wanted of options) if (!hasOption(wanted, command, isOption)) return false;
  return true;
}

function hasOption(
  wanted: CommandPattern['options'][number],
  command: SimpleCommand,
  isOption: typeof mayMatch,
): boolean {
  for (const option of command.options) if (isOption(wanted, option, command)) return true;
  return false;
}

function wordAt({ sub, operands }: SimpleCommand, at: number): string | undefined {
  return at < sub.length ? sub[at] : operands[at - sub.length]?.template;
}

/** The word after an undescribed option may be its value. */
function mayMatch(
  wanted: CommandPattern['options'][number],
  option: Option,
  { argv }: SimpleCommand,
): boolean {
  if (optionMatches(wanted, option)) return true;
  if (wanted.name !== option.name || wanted.value === null || option.value !== null) return false;
  if (option.declared) return false;
  const next = argv[argv.findIndex(({ raw }) => raw === option.raw) + 1];
  return next !== undefined && wanted.value(template(next));
}

function optionMatches(wanted: CommandPattern['options'][number], option: Option): boolean {
  if (wanted.name !== option.name) return false;
  return wanted.value === null || (option.value !== null && wanted.value(template(option.value)));
}

/**
 * True if the whole line is exactly what the patterns name. An allow needs this: any uncovered command, unknown word,
 * risky option, redirection, variable or loop makes it another line.
 */
export function lineIsCovered(
  patterns: readonly CommandPattern[],
  line: string,
  analysis: Analysis,
): boolean {
  const { coverage, commands } = analysis;
  if (coverage !== 'complete' || commands.length === 0 || !isPlainLine(line)) return false;
  return commands.every(
    (command, index) =>
      isPlain(command) &&
      patterns.some(
        (one) => commandIsCovered(one, command) && (saysMore(one, command) || !changes(analysis, index)),
      ),
  );
}

/** The pattern names an option that makes a reader do something else, or a program that is not a reader. */
function saysMore({ options }: CommandPattern, command: SimpleCommand): boolean {
  return (
    !isReader(command.tool) ||
    command.options.some(
      (option) => !isHarmlessOption(command, option) && options.some((named) => optionMatches(named, option)),
    )
  );
}

const CHANGES: ReadonlySet<string> = new Set(['write', 'delete', 'permission', 'execute', 'network', 'env']);

/** A second file, or the program text of awk and sed, can write just like an option. */
function changes({ effects, code }: Analysis, index: number): boolean {
  return (
    effects.some(({ command, kind }) => command === index && CHANGES.has(kind)) ||
    code.some(({ command }) => command === index)
  );
}

/** Words that a pattern does not name may only follow where they can't change the command. */
export function commandIsCovered(pattern: CommandPattern, command: SimpleCommand): boolean {
  if (pattern.word !== (command.argv[0]?.text ?? '') || !commandSurelyMatches(pattern, command)) return false;
  const further = command.operands.slice(Math.max(0, pattern.words.length - command.sub.length));
  if (further.length > 0 && takesGoals(command)) return false;
  return (
    further.every(isPlainOperand) &&
    command.options.every(
      (option) =>
        pattern.options.some((named) => optionMatches(named, option)) || isHarmlessOption(command, option),
    )
  );
}

/**
 * After `--` there may be options for a nested command; `CC=x` is a variable for many programs; `*` may expand to
 * either.
 */
function isPlainOperand({ template, glob }: Word): boolean {
  return !/^-|^[A-Za-z_]\w*=/.test(template) && !(glob && /^[*?[{]/.test(template));
}

/** True if nothing around or inside it can make it another command. */
export function isPlain(command: SimpleCommand, isAllowed: typeof isHarmless = isHarmless): boolean {
  return (
    !command.guessed &&
    command.place === 'local' &&
    command.via.length === 0 &&
    command.assignments.length === 0 &&
    command.argv.every((word) => !word.dynamic) &&
    command.redirects.every(({ operator, target }) => isAllowed(operator, target))
  );
}

export function isHarmless(operator: string, target: Word): boolean {
  // `>& 1` joins two streams, but `>& name` writes a file.
  return target.text === '/dev/null' || (operator.endsWith('&') && /^(?:\d+-?|-)$/.test(target.text ?? ''));
}

function template(word: Word): string {
  return word.template;
}
