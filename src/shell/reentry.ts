import type { Assignment, Place, Stdin, Word } from './analysis.ts';
import type { Tool } from './tool.ts';
import type { Walk } from './walk.ts';

/** How nested code is walked. */
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
  /** Runs in the same shell: `eval`, `source`, `trap`. */
  readonly sameShell?: boolean;
  /** True if functions of the shell are visible. */
  readonly functions?: boolean;
  /** The description of the program, if its name doesn't lead to it. */
  readonly tool?: Tool;
}

/** Re-entry into the walk, so that tools don't import it. */
export interface Reentry {
  argv(walk: Walk, words: readonly Word[], entry: Entry): string;
  text(walk: Walk, template: string, entry: Entry): string;
  /** True if the effects of a program with this name are known. */
  knows(name: string): boolean;
}
