import type { OnlyReads } from '../../knowledge/traits.ts';
import type { Option, Word } from '../analysis.ts';
import { isOn } from '../options.ts';

/** What a command looks at: metadata of files, or their content. */
export interface Look {
  readonly at: 'names' | 'contents';
  readonly word: Word;
  /**
   * How far that reaches: everything below it except hidden files, or except git's directory; through links too; or
   * through names split into words.
   */
  readonly below: false | 'all' | 'visible' | 'unversioned' | 'linked' | 'words';
}

/** A command that changes nothing, runs nothing and asks no server. */
export interface Reading {
  readonly looks: readonly Look[];
  /** The working directory, if an option sets it. */
  readonly folder: Word | null;
  /** Changes into the directory, where the following commands work. */
  readonly moves: boolean;
  /** Obeys the settings of the repository it works in. */
  readonly inRepository: boolean;
  /** With two existing paths it may compare all of their content, independent of the repository. */
  readonly compares: boolean;
}

/** The words of a command, parsed with its program's option table. */
export interface Given {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  /** All words as written. */
  readonly words: readonly Word[];
}

/** A program that only reads. */
export interface Reader extends Omit<OnlyReads, 'if'> {
  readonly moves?: boolean;
  /** Without options: all words are operands. */
  readonly bare?: boolean;
  /** Checks that a table can't express. */
  readonly accepts?: (given: Given) => boolean;
  /** What it does depends on its words. */
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
