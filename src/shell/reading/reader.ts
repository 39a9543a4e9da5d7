import type { OnlyReads } from '../../knowledge/traits.ts';
import type { Option, Word } from '../analysis.ts';
import { isOn } from '../options.ts';

/** What a command looks at: that a file is there and what it is like, or what is in it. */
export interface Look {
  readonly at: 'names' | 'contents';
  readonly word: Word;
  /**
   * And at all that lies below it, but for what has a dot in front, or for the folder of git; or through links too; or as
   * words that names are split into.
   */
  readonly below: false | 'all' | 'visible' | 'unversioned' | 'linked' | 'words';
}

/** A command that changes nothing, runs nothing and asks no server. */
export interface Reading {
  readonly looks: readonly Look[];
  /** Where it works, if an option says so. */
  readonly folder: Word | null;
  /** It goes there, and what follows it works there. */
  readonly moves: boolean;
  /** It obeys the settings of the repository that it works in. */
  readonly inRepository: boolean;
  /** Where it looks at two places that are there, it may compare all that is in them, whatever the repository has. */
  readonly compares: boolean;
}

/** The words of a command, sorted by the table of its program. */
export interface Given {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  /** All of them, as they were written. */
  readonly words: readonly Word[];
}

/** A program that only reads. */
export interface Reader extends Omit<OnlyReads, 'if'> {
  readonly moves?: boolean;
  /** It has no options: all of its words are operands. */
  readonly bare?: boolean;
  /** What a table cannot say. */
  readonly accepts?: (given: Given) => boolean;
  /** What it does is written in its words. */
  readonly scripted?: boolean;
}

export type ReaderTable = Readonly<Record<string, Reader>>;

/** Whether one of them was said, and not taken back by its opposite. */
export function has({ options }: Given, names: readonly string[]): boolean {
  return names.some((name) => isOn(options, name));
}

/** True for an unquoted pattern, which expands to any number of any file names. */
export const isPattern = ({ glob, template }: Word): boolean => glob && /[*?[]/.test(template);

export const textOf = (word: Word | undefined): string => word?.text ?? '';
