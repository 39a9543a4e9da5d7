import type { Option, Word } from './analysis.ts';
import { NO_OPTIONS, optionTable, parseOptions } from './options.ts';
import type { Tool } from './tool.ts';

/** A command's words, sorted by what they mean to its program. */
export interface Invocation {
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
  const at = parseOptions(argv, 1, table, { stop: true, singleDash }, options, operands);
  const first = argv[at]?.text;
  if (first === undefined || first === null) return { sub: NO_SUB, options, operands: argv.slice(at) };
  const word = first.toLowerCase();
  const own = tool.subOptions?.[word];
  const stop = tool.stopAfter?.includes(word) === true;
  const rest = parseOptions(
    argv,
    at + 1,
    own === undefined ? table : optionTable(own),
    { stop, singleDash },
    options,
    operands,
  );
  if (stop) operands.push(...argv.slice(rest));
  const depth = tool.groups?.includes(word) ? Math.max(2, tool.sub) : tool.groups ? 1 : tool.sub;
  const sub = [word];
  while (sub.length < depth) {
    const next = operands[0]?.text;
    if (next === undefined || next === null) break;
    sub.push(next.toLowerCase());
    operands.shift();
  }
  return { sub, options, operands };
}
