import type { ActLine, ProgramAct } from './acts.ts';
import type { FileLists } from './file-places.ts';
import type { Labels } from './labels.ts';
import type { Reasons } from './reasons.ts';
import type { SecretUsages } from './secrets.ts';
import type { Service } from './services.ts';
import type { OptionsOn, Speaks, Traits, Upload } from './traits.ts';
import type { Variables } from './variables.ts';
import type { Vocabulary } from './vocabulary.ts';

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
  /** Where it is given SQL. */
  readonly speaks?: readonly Speaks[];
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
export interface Entry extends Program, Traits {
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
  /** What of versioned work cannot be had back after it; the first that holds counts. */
  readonly losses?: readonly LossEntry[];
  /** Options that name a file which it executes, those that it executes without being told, and the code that reads one. */
  readonly executes?: {
    readonly options: readonly string[];
    readonly found?: readonly string[];
    readonly as: string;
  };
  /** A number may stand behind its name: `python3.12`. */
  readonly versions?: boolean;
  /** Its name is too common a word to be taken for a program. */
  readonly guess?: 'never';
  /** `--help` may belong to a program that it runs. */
  readonly help?: 'not-ours';
}

export type Facts = Readonly<Record<string, string | readonly string[]>>;

export const DOES = [
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
export type Does = (typeof DOES)[number];

/** Conditions of an entry: all of them hold. */
export interface Conditions extends OptionTest {
  /** One of these subcommands; `*` stands for any text. */
  readonly on?: readonly string[];
  readonly notOn?: readonly string[];
  /** How many operands there are, from and to. */
  readonly args?: readonly [number, number];
  /** One of the operands looks like one of these. */
  readonly words?: readonly string[];
  /** Its words as one line begin with one of these, or have one of them: whole words, but for a `*` at the end. */
  readonly begins?: readonly string[];
  readonly says?: readonly string[];
}

/** What the program does where all conditions hold. */
export interface EffectEntry extends Conditions {
  /** What it does, or the code that says so. */
  readonly does?: Does;
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
  /** At least one, or none, of these options; `--replicas=0` is one with this value. */
  readonly with?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
  /** One of these that no `--no-…` behind it takes back. */
  readonly standing?: readonly string[] | undefined;
}

/** What is lost by a version-control action: work in the tree, new files, stashes, local or remote history. */
export const LOSSES = ['changes', 'untracked', 'stash', 'refs', 'commits', 'remote'] as const;
export type Loss = (typeof LOSSES)[number];

export interface LossEntry extends Conditions {
  /** The code that tells whether it is so. */
  readonly if?: string;
  readonly loses: readonly Loss[];
}

/** As services call it; a program that does not know the option refuses it. */
export const USUAL_PREVIEW: readonly string[] = [
  '--dry-run',
  '--dryrun',
  '--list-only',
  '--what-if',
  '--noop',
];

export interface Programs {
  readonly entries: readonly Entry[];
  /** Which entry a program has. */
  readonly programs: Readonly<Record<string, number>>;
  /** Other names, and the one that rules see. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Words in the names of servers and tools, and the program that they mean. */
  readonly servers: Readonly<Record<string, string>>;
  /** What programs do with some of their words; `*` is any program. */
  readonly acts: Readonly<Record<string, readonly ProgramAct[]>>;
}

/** All that is compiled. */
export interface Knowledge extends Programs {
  readonly words: Vocabulary;
  readonly services: readonly Service[];
  readonly variables: Variables;
  /** What effects come to; the first line that fits counts. */
  readonly effectActs: readonly ActLine[];
  /** What rules say of deeds. */
  readonly reasons: Reasons;
  /** What buttons say. */
  readonly labels: Labels;
  readonly files: FileLists;
  readonly secrets: SecretUsages;
  /** Groups of words that people use for each other. */
  readonly synonyms: readonly (readonly string[])[];
}
