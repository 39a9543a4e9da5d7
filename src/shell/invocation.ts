import { entryOf } from '../model/lookup.ts';
import type { Option, Word } from './analysis.ts';
import { NO_OPTIONS, type OptionTable, optionTable, parseOptions } from './options.ts';
import type { Tool } from './tool.ts';

/** A command's words, sorted by their role. */
interface Invocation {
  readonly sub: readonly string[];
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
}

const NO_SUB: readonly string[] = [];

export function invocation(tool: Tool | undefined, argv: readonly Word[]): Invocation {
  const options: Option[] = [];
  const operands: Word[] = [];
  if (tool === undefined) {
    parseOptions(argv, 1, NO_OPTIONS, { generic: true }, options, operands);
    return { sub: NO_SUB, options, operands };
  }
  const table = optionTable(tool.options ?? '');
  const { singleDash } = tool;
  if (tool.sub === undefined) {
    const rest = parseOptions(argv, 1, table, { stop: tool.stop, singleDash }, options, operands);
    return { sub: NO_SUB, options, operands: tool.stop ? argv.slice(rest) : operands };
  }
  return withSubcommand(tool, tool.sub, argv, table, options, operands);
}

/** Options, subcommand word, its options, perhaps a second word, and so on; then the rest. */
function withSubcommand(
  tool: Tool,
  depth: number,
  argv: readonly Word[],
  globals: OptionTable,
  options: Option[],
  operands: Word[],
): Invocation {
  const { singleDash, groups } = tool;
  const sub: string[] = [];
  let table = globals;
  let at = 0;
  let limit = depth;
  while (sub.length < limit) {
    const next = parseOptions(argv, at + 1, table, { stop: true, singleDash }, options, operands);
    const text = argv[next]?.text;
    if (text === undefined || text === null) return { sub, options, operands: argv.slice(next) };
    at = next;
    const written = text.toLowerCase();
    const word = entryOf(tool.synonyms ?? {}, written) ?? written;
    sub.push(word);
    if (groups) limit = sub.length === 1 && groups.includes(word) ? 2 : sub.length;
    const own = entryOf(tool.subOptions ?? {}, word);
    if (own !== undefined) {
      table = optionTable(own);
      markGeneral(options, globals, table);
    }
  }
  const stop = tool.stopAfter?.includes(sub.at(-1) ?? '') === true;
  const rest = parseOptions(argv, at + 1, table, { stop, singleDash }, options, operands);
  return { sub, options, operands: stop ? argv.slice(rest) : operands };
}

/**
 * The same letter with another meaning is another option; with the same meaning, it may stand before or after the
 * subcommand.
 */
function markGeneral(options: Option[], globals: OptionTable, own: OptionTable): void {
  for (const [at, option] of options.entries()) {
    const letter = /^-([^-])$/.exec(option.name)?.[1] ?? '';
    const known = own.short.get(letter);
    if (known?.name === option.name && globals.short.get(letter)?.takes !== known.takes)
      options[at] = { ...option, general: true };
  }
}
