import type { Option, Word } from '../analysis.ts';

/** What a command looks at: that a file is there and what it is like, or what is in it. */
export interface Look {
  readonly at: 'names' | 'contents';
  readonly word: Word;
  /** And at all that lies below it, but for what has a dot in front, or for the folder of git; or through links too. */
  readonly below: false | 'all' | 'visible' | 'not-git' | 'linked';
}

/** A command that changes nothing, runs nothing and asks nobody. */
export interface Reading {
  readonly looks: readonly Look[];
  /** Where it works, if an option says so. */
  readonly folder: Word | null;
  /** It goes there, and what follows it works there. */
  readonly moves: boolean;
  /** It obeys the settings of the repository that it works in. */
  readonly inRepository: boolean;
}

/** The words of a command, sorted by the table of its program. */
export interface Given {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
}

/**
 * A program that only reads, with every option that leaves it one. The list is closed: an option that is not here may
 * do anything. It is not the table of options by which commands are understood, where one more does no harm.
 */
export interface Reader {
  /** As for `optionTable`. */
  readonly options?: string;
  /** Options end at the first operand. */
  readonly stop?: boolean;
  /** What the operands are; `none`: it takes none. */
  readonly operands: Look['at'] | 'text' | 'none';
  /** Operands before the first file, unless one of these options gives what they say. */
  readonly skip?: number;
  readonly skipUnless?: readonly string[];
  /** It goes through folders, always or with one of these options. */
  readonly below?: true | readonly string[];
  /** On its way through folders it goes where links lead. */
  readonly follows?: true;
  /** Leaves out names with a dot in front, unless an option says otherwise. */
  readonly visibleUnless?: readonly string[];
  /** Without an operand it looks at the folder that it works in; with one of these options, or always. */
  readonly here?: true | readonly string[];
  readonly moves?: boolean;
  /** What a table cannot say. */
  readonly accepts?: (given: Given) => boolean;
}

export type ReaderTable = Readonly<Record<string, Reader>>;

export function has({ options }: Given, names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

/** Nobody quoted it: it comes to the names of files, of which there may be many, and which may be anything. */
export const isPattern = ({ glob, template }: Word): boolean => glob && /[*?[]/.test(template);

export const textOf = (word: Word | undefined): string => word?.text ?? '';
