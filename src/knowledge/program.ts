type Role = 'read' | 'write' | 'delete';

/** What is known about a program's words, and what happens to the files among them. */
export interface Program {
  /** See `optionTable`. */
  readonly options?: string;
  /** Options end at the first operand. */
  readonly stop?: boolean;
  /** The same, for these subcommands only: `docker run IMAGE ls -l`. */
  readonly stopAfter?: readonly string[];
  /** `-name` is one option. */
  readonly singleDash?: boolean;
  /** How many leading operands are subcommand words. */
  readonly sub?: number;
  /** First subcommand words that are followed by a second one. */
  readonly groups?: readonly string[];
  /** Other spellings of subcommands: `npm i` is `npm install`. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Further options, by first subcommand word. */
  readonly subOptions?: Readonly<Record<string, string>>;
  /** What happens to the files named by the operands, of which the first `skip` are none. */
  readonly operands?: Role;
  readonly skip?: number;
  /** Options whose values are files. */
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** Options with which it only says what it would do, or lists what there is. */
  readonly preview?: readonly OptionsOn[];
  readonly wraps?: Wrap;
  readonly uploads?: readonly Upload[];
  /** Options whose values it uses (to log in, to say who asks) and does not pass on. */
  readonly uses?: readonly string[];
  /** It prints facts about what it reads, not what is in it; with `aboutWith`, only with these options. */
  readonly about?: boolean;
  readonly aboutWith?: readonly string[];
  /** It reads its input only when an argument says so: `@-`. */
  readonly inputIfTold?: boolean;
  /** What it writes has no content of its own: `touch`, `mkfifo`. */
  readonly empties?: boolean;
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

/** How a program runs another one that stands in its arguments. */
export interface Wrap {
  /** `argv`: the operands are the command. `shell`: they are joined and read by a shell. `none`: only `script`. */
  readonly how: 'argv' | 'shell' | 'none';
  /** Operands before the command: the duration of `timeout`, the file of `flock`. */
  readonly skip?: number;
  /** Leading `NAME=value` operands are variables. */
  readonly assignments?: boolean;
  /** Options whose value is a shell script. */
  readonly script?: readonly string[];
  /** Options with which nothing is run. */
  readonly inert?: readonly string[];
  /** It changes who runs it; the value says which option names the user. */
  readonly privilege?: string;
  readonly place?: 'local' | 'container' | 'remote';
  /** The option that sets the working directory. */
  readonly cwd?: string;
  /** Shell functions are still seen by what it runs. */
  readonly functions?: boolean;
}

/** A program as it is compiled: all names, and what its effects come from. */
export interface Entry extends Program {
  /** Entries are tried in this order, until one matches that does not say `also`. */
  readonly effects?: readonly EffectEntry[];
  /** The system of its resource effects. */
  readonly system?: string;
  /** The system of what it takes away, told by the verbs that services have. */
  readonly verbs?: string;
  /** It mostly works with what is on this machine, or its code says whom it talks to. */
  readonly offline?: boolean;
  /** The code for what no entry has settled, and what that code has to know. */
  readonly run?: string;
  readonly facts?: Facts;
  /** Options that name a file which it executes, those that it executes without being told, and the code that reads one. */
  readonly executes?: {
    readonly options: readonly string[];
    readonly found?: readonly string[];
    readonly as: string;
  };
  /** Nobody has described what its words mean. */
  readonly arguments?: 'unknown';
  /** Why it changes nothing. */
  readonly observes?: Observation;
  readonly onlyReads?: OnlyReads;
  /** Its name is too common a word to be taken for a program. */
  readonly guess?: 'never';
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
  /** `--help` may belong to a program that it runs. */
  readonly help?: 'not-ours';
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

export type Facts = Readonly<Record<string, string | readonly string[]>>;

export const DEEDS = [
  'read',
  'use',
  'write',
  'delete',
  'move',
  'connect',
  'listen',
  'destroy',
  'change',
  'package',
  'machine',
  'service',
  'execute',
  'nothing',
] as const;
export type Deed = (typeof DEEDS)[number];

/** Conditions, and what the program does where all of them hold. */
export interface EffectEntry {
  /** One of these subcommands; `*` stands for any text. */
  readonly on?: readonly string[];
  readonly notOn?: readonly string[];
  /** At least one, or none, of these options; `--replicas=0` is one with this value. */
  readonly with?: readonly string[];
  readonly without?: readonly string[];
  /** How many operands there are, from and to. */
  readonly args?: readonly [number, number];
  /** One of the operands looks like one of these. */
  readonly words?: readonly string[];
  /** Its words as one line begin with one of these, or have one of them: whole words, but for a `*` at the end. */
  readonly begins?: readonly string[];
  readonly says?: readonly string[];
  /** What it does then, or the code that says so. */
  readonly does?: Deed;
  readonly run?: string;
  /** What it is done to. */
  readonly to?: readonly Target[];
  /** Words that are left out of it. */
  readonly except?: readonly string[];
  readonly system?: string;
  readonly action?: string;
  readonly tree?: Flag;
  readonly force?: Flag;
  readonly append?: Flag;
  readonly below?: Flag;
  readonly global?: Flag;
  readonly sends?: Flag;
  /** Entries after it are tried, too. */
  readonly also?: boolean;
}

/** Operands from and to, the values of an option, a text, or all words as one line. */
export type Target =
  | { readonly operands: readonly [number, number] }
  | { readonly value: string }
  | { readonly text: string }
  | { readonly line: true };

export type Flag = true | OptionTest;

export interface OptionTest {
  readonly with?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
}

/** As services call it; a program that does not know the option refuses it. */
export const USUAL_PREVIEW: readonly string[] = [
  '--dry-run',
  '--dryrun',
  '--list-only',
  '--what-if',
  '--noop',
];

/** All that is compiled. */
export interface Knowledge {
  readonly entries: readonly Entry[];
  /** Which entry a program has. */
  readonly programs: Readonly<Record<string, number>>;
}
