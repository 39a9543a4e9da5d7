import type { Doors } from './doors.ts';
import type { Place } from './place.ts';

/** What is known of a program beside what its words mean. */
export interface Traits {
  /** Nobody has described what its words mean. */
  readonly arguments?: 'unknown';
  /** Why it changes nothing. */
  readonly observes?: Observation;
  readonly onlyReads?: OnlyReads;
  /** Everything it does is among its effects. */
  readonly covered?: Covered;
  /** All that it writes is among its effects, as far as all of its options are known. */
  readonly paths?: 'accounted';
  /**
   * Options that run nothing, write nothing and change neither where nor with which settings it works, so that a permission
   * for the command is one for the command with them. Without dashes. What is not here may do anything.
   */
  readonly harmless?: readonly OptionsOn[];
  /** One more word is one more thing to do: `make test deploy`. */
  readonly goals?: true;
  /** It runs tests, or builds, whatever its arguments are, or when a word of it says so. */
  readonly purpose?: (typeof PURPOSES)[number];
  /** Words that make it print passwords and tokens, options among them; an empty text stands for any. */
  readonly secrets?: { readonly prints: readonly string[] };
  /** It prints everything that one holds. */
  readonly dumps?: 'database';
  /** How its words say where it works. */
  readonly place?: Place;
  readonly doors?: Doors;
  readonly data?: DataWords;
}

/**
 * Words with which it changes the data of an application: all of its words begin with one of these, have one of these
 * among them, and begin with none of the last. Each ends where a word does, unless it ends in `*`.
 */
export interface DataWords {
  readonly begins?: readonly string[] | undefined;
  readonly says?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
}

/** Options, with these first subcommand words or with any. */
export interface OptionsOn {
  readonly on?: readonly string[] | undefined;
  readonly with: readonly string[];
}

/** Which words of a command are files that it sends to another machine. */
export interface Upload {
  /** The words that follow the program's name, one of these lists; any where this is left out. */
  readonly on?: readonly (readonly string[])[] | undefined;
  /** `all` that follow, all but the first, or all but the last, which says where they go; none where it is left out. */
  readonly files?: 'all' | 'but-first' | 'but-last' | 'none' | undefined;
  /** Options whose values are files that are sent. */
  readonly values?: readonly string[] | undefined;
  /** The last word has to be an address (`s3://x`) or begin with a host (`nas:x`); any does where this is left out. */
  readonly to?: 'address' | 'host' | undefined;
  /** It sends something only with one of these options. */
  readonly with?: readonly string[] | undefined;
}

/** `packages`: with verbs that add and list, and names of packages. `only-adds`: its verbs are options, and none removes. */
export const COVERED_AS = ['packages', 'only-adds'] as const;
/** Subcommands with which everything it does is among its effects. */
interface CoveredOn {
  readonly on: readonly string[];
  /** Which of its words is the subcommand; 1 where nothing is said. */
  readonly word?: number | undefined;
}
export type Covered = true | (typeof COVERED_AS)[number] | CoveredOn;

/** What code has to accept before a program counts as one that only reads. */
export const READS_IF = [
  'narrow',
  'one-file',
  'no-lists',
  'short-count',
  'formats',
  'looks-up',
  'sed-script',
  'awk-script',
  'jq-script',
] as const;

/**
 * How a program only reads, with every option that leaves it one that does. The list is closed: an option that is not
 * here may do anything. It is not the table of options by which commands are understood, where one more does no harm.
 */
export interface OnlyReads {
  readonly options?: string;
  /** Options end at the first operand. */
  readonly stop?: boolean;
  /** What the operands are; `none`: it takes none. */
  readonly operands: 'names' | 'contents' | 'text' | 'none';
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
  readonly if?: (typeof READS_IF)[number];
}

export const PURPOSES = ['test', 'build', 'by-word'] as const;

export const OBSERVATIONS = [
  /** Its words are text, whatever they look like: no option of it names a file or a program. */
  'text',
  /** It tells about the machine. */
  'machine',
  /** The same; it changes the machine, or writes a file, with words for which it has effects. */
  'settings',
  /** It reads files. */
  'files',
  /** What it does is done to the shell, and what it runs stands in the line. */
  'shell',
  /** It reads, unless an option, a second file or a program text says otherwise: then an effect does. */
  'unless-told',
] as const;
export type Observation = (typeof OBSERVATIONS)[number];
