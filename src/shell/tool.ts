import type { Facts, Program } from '../knowledge/program.ts';
import type { Word } from './analysis.ts';
import type { Call } from './call.ts';
import { FOUND } from './places/paths.ts';

export type { Wrap } from '../knowledge/program.ts';

/** What is known about one program. Most of it is data; `run` is code for the rest. */
export interface Tool extends Program {
  /** Options that name a file to execute, and how the file is read. */
  readonly executes?: {
    readonly options: readonly string[];
    /** Files that it executes by default, relative to a variable: `HOME/.tmux.conf`. */
    readonly found?: readonly string[];
    readonly as: TextReader;
  };
  /** Returns its output as a template, or nothing if unknown. */
  readonly run?: (call: Call) => string | undefined;
}

/** Applies the effects of a text that the program executes. */
export type TextReader = (call: Call, text: string) => void;

/** Implements `run:` of a file in `knowledge/`. Returns the program's output as a template, or nothing if unknown. */
export type Code = (call: Call, facts: Facts) => string | undefined;
export type CodeTable = Readonly<Record<string, Code>>;

/** Search results exist already, so `touch` only changes their date. */
export function onlyMade(tool: Tool, { template }: Word): boolean {
  return tool.empties === true && template.includes(FOUND);
}
