import type { Facts } from '../facts.ts';
import type { ConditionsText } from '../schema.ts';
import { type CommandText, readCommand } from './command.ts';
import { patternProblem } from './pattern-problem.ts';
import { parseWhen } from './when.ts';

/** How the patterns of conditions are checked and read; `problem` says why one cannot be. */
export interface PatternReader {
  /** What is wrong with them, asked before any of them is compiled; null when nothing is. */
  check(text: ConditionsText): string | null;
  command(text: string): CommandText | { readonly problem: string };
  when(text: string): ((facts: Facts) => boolean) | { readonly problem: string };
}

/** From what a person has written. */
export const FROM_TEXT: PatternReader = { check: patternProblem, command: readCommand, when: parseWhen };
