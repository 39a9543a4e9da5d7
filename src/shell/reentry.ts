import type { Assignment, Place, Stdin, Word } from './analysis.ts';
import type { Tool } from './tool.ts';
import type { Walk } from './walk.ts';

/** How to go on inside what a command runs. */
export interface Entry {
  readonly via?: string;
  readonly place?: Place;
  readonly guessed?: boolean;
  readonly stdin?: Stdin;
  readonly cwd?: string | null;
  readonly assignments?: readonly Assignment[];
  /** Arguments of the script: `$1`, `$2`, … */
  readonly positional?: readonly string[];
  /** `$0`. */
  readonly script?: string;
  /** The same shell runs it: `eval`, `source`, `trap`. */
  readonly sameShell?: boolean;
  /** Functions of the shell are seen. */
  readonly functions?: boolean;
  /** What is known of the program, where its name does not say so. */
  readonly tool?: Tool;
}

/** The way back into the walk, so that tools need not import it. */
export interface Reentry {
  argv(walk: Walk, words: readonly Word[], entry: Entry): string;
  text(walk: Walk, template: string, entry: Entry): string;
  /** Whether it is known what a program of this name does. */
  knows(name: string): boolean;
}
