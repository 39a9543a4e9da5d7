import type { Facts } from '../facts.ts';
import type { ConditionsText } from '../schema.ts';
import { type CommandText, readCommand } from './command.ts';
import { patternProblem } from './pattern-problem.ts';
import { parseWhen } from './when.ts';

/** How the patterns of conditions are checked and compiled; `problem` says why one can't be. */
export interface PatternReader {
  /** The problem with them, found before they are compiled; null if there is none. */
  check(text: ConditionsText): string | null;
  command(text: string): CommandText | { readonly problem: string };
  when(text: string): ((facts: Facts) => boolean) | { readonly problem: string };
}

/** For conditions as a person has written them. */
export const FROM_TEXT: PatternReader = { check: patternProblem, command: readCommand, when: parseWhen };
