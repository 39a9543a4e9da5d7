import { isObject } from '../../model/json.ts';
import { shellWord } from '../../platform/shell-words.ts';

/**
 * The commands of `run_commands`, in every form that the client takes (3.0.65): a text, a program with arguments, lists of
 * both, under one of three names. Null for anything else, and for nothing at all.
 */
export function commandsIn(input: unknown): readonly string[] | null {
  const given = isObject(input)
    ? [input.commands, input.cmd].filter((value) => value !== undefined)
    : [input];
  const entries = isObject(input) && input.command !== undefined ? [...given, input] : given;
  const commands = entries.flatMap((entry) => (Array.isArray(entry) ? entry : [entry])).map(commandsOf);
  if (commands.length === 0 || commands.some((one) => one === null)) return null;
  return commands.flatMap((one) => one ?? []);
}

/**
 * A program with arguments goes to a shell as one text, in which only white space is quoted, or to no shell at all: where
 * that makes a difference, both are judged.
 */
function commandsOf(entry: unknown): readonly string[] | null {
  if (typeof entry === 'string') return [entry];
  if (!isObject(entry) || typeof entry.command !== 'string') return null;
  const { command, args = [] } = entry;
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return null;
  const joined = [command, ...args.map((arg) => (/[\s"]/u.test(arg) ? JSON.stringify(arg) : arg))].join(' ');
  const words = [command, ...args.map(shellWord)].join(' ');
  return joined === words ? [joined] : [words, joined];
}

/**
 * One line for all. Each command has a shell of its own, in the folder of the project: what one leaves open, a quote or a
 * folder, is nothing to the next.
 */
export function commandLine(commands: readonly string[]): string {
  const [only] = commands;
  if (commands.length === 1 && only !== undefined) return only;
  return commands.map((command) => `sh -c ${shellWord(command)}`).join('\n');
}
