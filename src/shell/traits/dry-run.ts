import { entryFor } from '../../knowledge/load.ts';
import { entryOf } from '../../model/lookup.ts';
import type { Option, SimpleCommand, Word } from '../analysis.ts';
import { isActing } from '../program-names.ts';
import type { Tool } from '../tool.ts';

/** Verbs that pass their words to another program. */
const RUNS_OTHERS = /^(?:run|run-script|exec|x|dlx|start|test|start-?script|call)$/;

/**
 * True if a command only prints its usage or what it would do. The option must certainly be one: not after `--`, not
 * the possible value of an unknown option, and not after the first operand, where many programs stop parsing options.
 * The last option wins: `--dry-run --no-dry-run` is not a dry run.
 */
export function isDryRun(tool: Tool | undefined, command: Omit<SimpleCommand, 'inert'>): boolean {
  const { name, tool: program, sub, options } = command;
  if (options.length === 0 || name === null || program === null) return false;
  if (tool === undefined) return asksForHelp(command);
  if (tool.wraps) return false;
  if (entryFor(program)?.help === 'not-ours' || sub.some((word) => RUNS_OTHERS.test(word))) return false;
  const preview = tool.preview?.find(({ on }) => on === undefined || on.includes(sub[0] ?? ''));
  return (preview !== undefined && asksForDryRun(preview.with, command)) || isHelp(tool, command);
}

/** A verb: `delete`, `delete-config`, `db:drop`. Excludes files, numbers and `module::command`. */
const VERB = /^[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*$/;
const MAX_VERBS = 3;
const COMMANDLETS = /^(?:powershell|pwsh|cmd)$/;

/**
 * An undescribed program with only verbs and a request for help: `bosh delete-config --help`. With a name to act on or
 * another option, it may do anything.
 */
function asksForHelp({ argv, via, guessed }: Omit<SimpleCommand, 'inert'>): boolean {
  const [program, ...words] = argv.map(({ text }) => text);
  const asked = words.pop();
  if (asked !== '--help' && !(asked === '--version' && words.length === 0)) return false;
  // A script decides its own behavior, and so may a program named by one of these words.
  if (guessed || !program || program.includes('/') || via.some((name) => COMMANDLETS.test(name)))
    return false;
  return (
    words.length <= MAX_VERBS &&
    words.every((word) => word !== null && VERB.test(word) && !RUNS_OTHERS.test(word) && !isActing(word))
  );
}

type Words = Pick<SimpleCommand, 'argv' | 'options' | 'operands' | 'sub'>;

function asksForDryRun(dry: readonly string[], { argv, options }: Words): boolean {
  const last = options.findLast(
    ({ name }) => dry.includes(name) || dry.includes(name.replace(/^--no-/, '--')),
  );
  if (!last || !dry.includes(last.name) || /^(?:none|false|0|no|off)$/i.test(last.value?.text ?? ''))
    return false;
  return isRead(argv, indexOfOption(last, argv), options);
}

/** `--version` after a verb is usually the version of something: `cargo install x --version 1.2`. */
function isHelp(tool: Tool, { argv, options, operands, sub }: Words): boolean {
  const last = options.findLast(({ name }) => name === '--help' || name === '--version');
  if (!last || last.value !== null) return false;
  const at = indexOfOption(last, argv);
  const end = tool.sub !== undefined && last.name === '--version' ? verbAt(tool, argv, sub) : argv.length;
  const first = tool.sub === undefined && operands[0] ? argv.indexOf(operands[0]) : end;
  return at < first && isRead(argv, at, options);
}

function verbAt({ synonyms = {} }: Tool, argv: readonly Word[], [verb]: readonly string[]): number {
  const at = argv.findIndex(({ text }, i) => {
    const written = text?.toLowerCase() ?? '';
    return i > 0 && (entryOf(synonyms, written) ?? written) === verb;
  });
  return at < 0 ? argv.length : at;
}

/** True where options are still parsed, which is never after `--`. */
function indexOfOption(option: Option, argv: readonly Word[]): number {
  const dashes = argv.findIndex(({ template }) => template === '--');
  return argv.slice(0, dashes < 0 ? argv.length : dashes).findLastIndex(({ raw }) => raw === option.raw);
}

/** True if the word before it can't take it as its value. */
function isRead(argv: readonly Word[], at: number, options: readonly Option[]): boolean {
  const before = argv[at - 1];
  if (at < 0) return false;
  if (before === undefined || !before.template.startsWith('-')) return true;
  return options.every(({ raw, declared }) => raw !== before.raw || declared);
}
