import type { Doors } from './doors.ts';
import type { Place } from './place.ts';

/** What is known of a program beside what its words mean. */
export interface Traits {
  /** The meaning of its words is not described. */
  readonly arguments?: 'unknown';
  /** Why it changes nothing. */
  readonly observes?: Observation;
  readonly onlyReads?: OnlyReads;
  /** Words that, alone, make it print its version without looking for settings of the project first. */
  readonly tellsVersion?: readonly string[];
  /** Everything it does is among its effects. */
  readonly covered?: Covered;
  /** All that it writes is among its effects, as far as all of its options are known. */
  readonly paths?:
    | 'accounted'
    /** Only with these subcommands; its names may begin at the top of a repository, and lead nowhere outside of it. */
    | { readonly on: readonly string[]; readonly 'from-top': true };
  /**
   * Options that run nothing, write nothing and change neither where nor with which settings it works, so that a permission
   * for the command is one for the command with them. Without dashes. What is not here may do anything.
   */
  readonly harmless?: readonly OptionsOn[];
  /** One more word is one more thing to do: `make test deploy`. */
  readonly goals?: true;
  /** It runs tests, or builds, whatever its arguments are, or when a word of it says so; by target, it builds without one. */
  readonly purpose?: (typeof PURPOSES)[number] | WordPurpose;
  /** Words that make it print passwords and tokens, options among them; an empty text stands for any. */
  readonly printsSecrets?: readonly string[];
  /** It prints everything that one holds. */
  readonly dumps?: 'database';
  /** How its words say where it works. */
  readonly place?: Place;
  readonly doors?: Doors;
  /** Words with which it changes the data of an application, or what it is given that may do so. */
  readonly data?: Saying & { readonly given?: (typeof GIVEN)[number] | undefined };
  /** Words with which it changes the machine that it runs on, beyond files. */
  readonly machine?: Saying;
  /** What it does to a command among its words. */
  readonly carries?: readonly (typeof CARRIES)[number][];
  /** It makes a port of this machine lead to another one: always, or with a word that has one of these in it. */
  readonly tunnels?: true | readonly string[];
  readonly code?: ProjectCode;
  /** Packages for the whole machine, as its administrator; or ones for which `a/b` is a user's repository. */
  readonly installs?: 'machine' | 'repositories';
  /** A command among its words gets more of them from what it reads, or is run for each line of that. */
  readonly feeds?: 'words' | 'lines';
  /** It runs what is in a comment with a `!`, and knows no comment without a blank. */
  readonly dialect?: 'mysql';
}

/**
 * All of its words begin with one of these, have one of these among them, and begin with none of the last. Each ends
 * where a word does, unless it ends in `*`.
 */
export interface Saying {
  readonly begins?: readonly string[] | undefined;
  readonly says?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
}

export const CODE_IN = ['node', 'python', 'ruby', 'php', 'go', 'rust', 'java'] as const;

/** The code of a project that it runs without being told, or that the session itself has written. */
interface ProjectCode {
  /** The language; without one it is a manifest with lines for a shell. */
  readonly in?: (typeof CODE_IN)[number] | undefined;
  /** A file that it runs because of where it lies. */
  readonly found?: string | undefined;
  /** Subcommands with which it runs the file that it is given: a description of a package is a program. */
  readonly given?: readonly string[] | undefined;
  /** It runs what there is of that language in the folder, always or with these subcommands. */
  readonly written?: true | readonly string[] | undefined;
  /** Words that open a console, which knows the models of the project: what it is given is code. */
  readonly console?: readonly string[] | undefined;
}

/** A file of statements, a script or a task of the project by its name, or a task as Rake has them. */
export const GIVEN = ['statements', 'script', 'task', 'rake'] as const;

export const CARRIES = [
  /** It runs it on this machine, or in a container of it, with nothing but what stands in the line. */
  'line',
  /** Its own words say where that works, or with which variables. */
  'place',
] as const;

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

/** Where a program that is not a client of one database is given SQL. */
export interface Speaks {
  /** The words that follow the program's name, one of these lists; any where this is left out. */
  readonly on?: readonly (readonly string[])[] | undefined;
  /** With one of these options it works on a database of this machine. */
  readonly without?: readonly string[] | undefined;
  /** Options whose values are SQL, and those whose values are files of it. */
  readonly in?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
  /** So many words later, all others are SQL. */
  readonly words?: number | undefined;
  /** Its input is SQL: always, or with one of these options. */
  readonly stdin?: true | readonly string[] | undefined;
}

/**
 * `packages`: with verbs that add and list, and names of packages. `named-packages`: only with packages given by name, because
 * without one the program runs scripts of the folder it is in. `only-adds`: its verbs are options, and none removes.
 */
export const COVERED_AS = ['packages', 'named-packages', 'only-adds'] as const;
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
  'short-wait',
  'lists-only',
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
  /** On its way through folders it goes where links lead, always or with one of these options. */
  readonly follows?: true | readonly string[];
  /** Leaves out names with a dot in front, unless an option says otherwise. */
  readonly visibleUnless?: readonly string[];
  /** Without an operand it looks at the folder that it works in; with one of these options, or always. */
  readonly here?: true | readonly string[];
  readonly if?: (typeof READS_IF)[number];
}

export const PURPOSES = ['test', 'build', 'by-word', 'by-target'] as const;

/** As `by-word`, and with these beginnings of the command line too: `nextest run`. */
interface WordPurpose {
  readonly test?: readonly string[] | undefined;
  readonly build?: readonly string[] | undefined;
}

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
