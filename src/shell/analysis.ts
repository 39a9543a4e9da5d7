import type { How } from '../doors/phrase.ts';
import type { Loss } from '../knowledge/program.ts';

export { LOSSES, type Loss } from '../knowledge/program.ts';

/** Stands for every piece of a word that could not be known. A private-use character: no command needs it. */
export const UNKNOWN = '\uE000';

/** One argument as the program would receive it. */
export interface Word {
  /** Null when a part of it is unknown. */
  readonly text: string | null;
  readonly raw: string;
  readonly dynamic: boolean;
  /** An unquoted pattern is left in `text`. */
  readonly glob: boolean;
  /** `text`, with `UNKNOWN` in place of each unknown piece. */
  readonly template: string;
  /** Set for `<(…)`: what the commands inside would print, and which they are. */
  readonly output?: Output;
  /** Commands whose output was put into it by `$(…)`. */
  readonly sources?: readonly number[];
}

/** What is known of a stream: its text, when that can be computed, and the commands it comes from. */
export interface Output {
  readonly text: string | null;
  /** `text`, with `UNKNOWN` in place of each unknown piece. */
  readonly template: string;
  readonly sources: readonly number[];
}

export interface Assignment {
  readonly name: string;
  readonly value: string | null;
  readonly raw: string;
}

export interface Redirect {
  readonly operator: string;
  readonly target: Word;
}

/** Where a command's standard input comes from. */
export interface Stdin extends Output {
  readonly from: 'terminal' | 'pipe' | 'file' | 'here';
}

/** One option, under its canonical spelling: the long one where the tool is known to have one. */
export interface Option {
  readonly name: string;
  readonly value: Word | null;
  readonly raw: string;
  /** Whether it is known that the tool has it, and so whether it takes a value. */
  readonly declared: boolean;
  /** It stands before the subcommand, which has one of the same name: `git -C x branch` is no `git branch -C x`. */
  readonly general?: true;
}

export type Place = 'local' | 'container' | 'remote';

/** One program (or builtin) that would run. Wrappers appear as themselves and again as what they wrap. */
export interface SimpleCommand {
  /** Base name, as written; null when it cannot be known. */
  readonly name: string | null;
  /** The name rules should compare: `python3.12` is `python`, `RM` and `rm.exe` are `rm`, `gawk` is `awk`. */
  readonly tool: string | null;
  /** `argv[0]` is the command word. */
  readonly argv: readonly Word[];
  /** Subcommand words of tools that have them: `git remote add` has `['remote', 'add']`. */
  readonly sub: readonly string[];
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirects: readonly Redirect[];
  readonly stdin: Stdin;
  /** Place in its pipeline; null outside one. */
  readonly pipeline: { readonly index: number; readonly size: number } | null;
  /** Wrappers around it, outermost first: `['sudo', 'xargs']`. */
  readonly via: readonly string[];
  readonly place: Place;
  /** True when an unknown program was merely assumed to run its arguments. */
  readonly guessed: boolean;
  /** It only says what it would do, or how it is used. */
  readonly inert: boolean;
  /** Null when it cannot be known. */
  readonly cwd: string | null;
  /** Patterns of which the folder is one of the matches, where it is not known otherwise. */
  readonly within?: readonly string[];
  /** How many times the parser was entered again to find it. */
  readonly depth: number;
  /** Offsets in the text given to `analyse`; of the outermost command for what was found inside a string. */
  readonly span: { readonly start: number; readonly end: number };
}

/**
 * How surely something happens: to exactly this; to this among other things; or only if what is unknown turns out
 * that way.
 */
export type Certainty = 'certain' | 'likely' | 'possible';

/**
 * Whether a search has tests that leave only some of what the glob matches: `surely`, or `perhaps`, where they go by
 * age, size or owner or are negated, and may let everything through. `aged`: perhaps, and only what has been left alone for
 * a while. `nearby`: surely, and it does not go deeper than the folder it starts from.
 */
export type SearchFilter = false | 'perhaps' | 'aged' | 'surely' | 'nearby';

/**
 * A place in the file system. `path` is absolute where the working directory is known, relative where it is not,
 * and null when a part of it is unknown: then `prefix` is the longest literal directory it lies in, and `ending` what
 * is known of it after an unknown folder (`/.ssh/config` for `"$X"/.ssh/config`), whatever comes before that.
 */
export interface PathRef {
  readonly path: string | null;
  readonly prefix: string | null;
  readonly ending: string | null;
  readonly raw: string;
  readonly glob: boolean;
  readonly sifted: SearchFilter;
  /** Patterns of which it is one of the matches, where `path` is null: `"$f"` in a loop over `~/.*`. */
  readonly among?: readonly string[];
  /** It surely is such a match: nothing has been done to the name since. */
  readonly isName?: true;
  /** With the `..` that stand behind a name, which lead elsewhere where that is a link. */
  readonly spelled?: string;
}

/** Where a piece of text comes from. */
export type Origin =
  | { readonly kind: 'file'; readonly ref: PathRef }
  | { readonly kind: 'network'; readonly host: string | null }
  /** All variables of the session. */
  | { readonly kind: 'environment' }
  /** A program that prints a password or a token. */
  | { readonly kind: 'secret'; readonly of: string }
  /** A variable of the session whose name says that it is a password. */
  | { readonly kind: 'variable'; readonly of: string }
  /** A program that prints all that a database holds. */
  | { readonly kind: 'database'; readonly of: string };

/** What every effect has. */
export interface Caused {
  /** Index in `commands` of the command that does it. */
  readonly command: number;
  readonly certainty: Certainty;
}

export type Effect = Caused &
  (
    | { readonly kind: 'run'; readonly program: string | null }
    | ({ readonly kind: 'read' } & PathRef)
    | ({
        readonly kind: 'write';
        readonly append: boolean;
        /** Things in this folder are written, and their names are not known. */
        readonly below: boolean;
        /** Nothing is left of what was in it, and nothing new is put there. */
        readonly truncated?: true;
      } & PathRef)
    | ({
        readonly kind: 'delete';
        readonly recursive: boolean;
        readonly force: boolean;
        /** It is there under another name afterwards. */
        readonly moved: boolean;
      } & PathRef)
    | ({
        readonly kind: 'permission';
        /** Null where it is not known, and where it is the owner that changes. */
        readonly mode: string | null;
        readonly of: 'rights' | 'owner';
        readonly recursive: boolean;
      } & PathRef)
    | {
        readonly kind: 'network';
        readonly host: string | null;
        readonly direction: 'out' | 'in';
        readonly url: string | null;
        readonly method: string | null;
        /** Sends something from this machine beyond the request itself. */
        readonly sends: boolean;
      }
    | ({
        /** Bytes of this machine that leave it, followed from where they were read. */
        readonly kind: 'send';
        readonly host: string | null;
        readonly what: 'file' | 'environment' | 'secret' | 'variable' | 'database';
        /** A program text says that it is what is sent, and not what it logs in with. */
        readonly told?: true;
      } & PathRef)
    | {
        readonly kind: 'privilege';
        readonly how: string;
        readonly user: string | null;
        /** It opens a shell, for whatever is typed there. */
        readonly shell: boolean;
      }
    | {
        readonly kind: 'vcs';
        readonly action: string;
        readonly force: boolean;
        readonly remote: string | null;
        readonly refs: readonly string[];
        readonly loses: readonly Loss[];
        readonly skipsHooks: boolean;
        /** The work tree whose uncommitted changes it discards; absent if that is not one known tree. */
        readonly discards?: Discards;
      }
    | {
        readonly kind: 'env';
        readonly name: string;
        readonly op: 'set' | 'unset' | 'read';
        readonly value: string | null;
      }
    | {
        /** Code that an interpreter takes from somewhere. */
        readonly kind: 'execute';
        readonly interpreter: string;
        readonly from: 'network' | 'file' | 'decoded' | 'unknown';
        readonly path: string | null;
        readonly host: string | null;
      }
    | {
        /** Something kept by a service: a cloud resource, a cluster object, a table, an image. */
        readonly kind: 'resource';
        readonly system: string;
        readonly action: string;
        readonly destructive: boolean;
        /** How else it is changed, where that is known. */
        readonly how?: Exclude<How, 'destructive'>;
        readonly target: string | null;
      }
    | {
        /** The machine itself: `shutdown`, `format`, `kill`, `schedule`, `service`, `recursion`, … */
        readonly kind: 'system';
        readonly action: string;
        readonly target: string | null;
      }
    | {
        readonly kind: 'package';
        readonly manager: string;
        readonly action: string;
        readonly names: readonly string[];
        readonly global: boolean;
      }
  );

export interface Discards {
  /** A folder in the tree. */
  readonly folder: string;
  /** What git is told to leave out may go as well. */
  readonly ignored: boolean;
}

export type EffectKind = Effect['kind'];
export type EffectOf<K extends EffectKind> = Extract<Effect, { readonly kind: K }>;

/**
 * `complete`: every command that would run is in `commands`. `partial`: more may run than was found, and `why` says
 * what could not be followed. `failed`: not understood; `commands` is a best effort and no basis for an allow.
 * `over-budget`: too large to read to its end; a shell would still run all of it.
 */
type Coverage = 'complete' | 'partial' | 'failed' | 'over-budget';

export interface Analysis {
  readonly coverage: Coverage;
  readonly why: readonly string[];
  readonly commands: readonly SimpleCommand[];
  readonly effects: readonly Effect[];
  /** Program texts that stand in the line, and which command runs them. */
  readonly code: readonly { readonly command: number; readonly text: string }[];
  /** What is there afterwards that was not there before. */
  readonly left: readonly Left[];
  /** By mark, the patterns that names come from of which the words have no more. */
  readonly names: Names;
}

/** Patterns of absolute paths, by the mark that stands for one of their matches. */
export type Names = ReadonlyMap<string, readonly string[]>;

/** A file or a link that a command line leaves behind. */
export interface Left {
  readonly path: string;
  /** What the bytes in it come from; nothing where the line itself says what they are. */
  readonly origins: readonly Origin[];
  /** What a link leads to. */
  readonly link: string | null;
  /** What is in it, as far as the line says; with `UNKNOWN` in place of each unknown piece. */
  readonly text?: string;
}

/** What earlier command lines have left behind, by absolute path. */
export interface Before {
  /** Undefined for a file that none of them has written. */
  originsOf(path: string): readonly Origin[] | undefined;
  /** The same for those who do not ask who has written it: empty where nothing is known. */
  sourcesOf(path: string): readonly Origin[];
  /** Whether they have left any link. */
  readonly hasLinks: boolean;
  linkAt(path: string): string | undefined;
  /** True if nothing exists there now, even after an announced write. */
  isAbsent(path: string): boolean;
  /** The files that they have written, by absolute path. */
  paths(): Iterable<string>;
  /** What is in a file that one of them has written, as it is now; null where that is not text, `UNKNOWN` where it is too long. */
  textOf(path: string): string | null;
}

export interface AnalyseOptions {
  readonly cwd?: string;
  /** Variables the shell would start with. One that is missing here is unknown, not unset. */
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly before?: Before;
  /** Who reads it, where that is known: a POSIX shell, unless the text is plainly PowerShell's. */
  readonly shell?: 'powershell';
}
