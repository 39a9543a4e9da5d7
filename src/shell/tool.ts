import type { Facts, Program } from '../knowledge/program.ts';
import type { Word } from './analysis.ts';
import type { Call } from './call.ts';
import { FOUND } from './places/paths.ts';

export type { Wrap } from '../knowledge/program.ts';

/** What is known about one program. Most of it is data; `run` is for what data cannot say. */
export interface Tool extends Program {
  /** Options that name a file which it executes, and how that is read. */
  readonly executes?: {
    readonly options: readonly string[];
    /** Files that it executes without being told, from the value of a variable on: `HOME/.tmux.conf`. */
    readonly found?: readonly string[];
    readonly as: TextReader;
  };
  /** Returns what it prints, as a template; nothing when that is unknown. */
  readonly run?: (call: Call) => string | undefined;
}

/** Does what a text says that a program executes. */
export type TextReader = (call: Call, text: string) => void;

/** What `run:` in a file of `knowledge/` names. Returns what the program prints, as a template; nothing when that is unknown. */
export type Code = (call: Call, facts: Facts) => string | undefined;
export type CodeTable = Readonly<Record<string, Code>>;

/** What a search finds is there already, and `touch` changes nothing of it but a date. */
export function onlyMade(tool: Tool, { template }: Word): boolean {
  return tool.empties === true && template.includes(FOUND);
}
