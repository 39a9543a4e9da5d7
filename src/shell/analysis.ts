import type { How } from '../doors/phrase.ts';
import type { Loss } from '../knowledge/program.ts';

export { LOSSES, type Loss } from '../knowledge/program.ts';

/** Stands for every unknown piece of a word. A private-use character, because no command needs one. */
export const UNKNOWN = '\uE000';

export interface Word {
  /** Null when a part of it is unknown. */
  readonly text: string | null;
  readonly raw: string;
  readonly dynamic: boolean;
  /** True if `text` contains an unquoted pattern. */
  readonly glob: boolean;
  /** `text`, with `UNKNOWN` in place of each unknown piece. */
  readonly template: string;
  /** Set for `<(…)`: what the commands inside would print, and the commands themselves. */
  readonly output?: Output;
  /** Commands whose output `$(…)` put into this word. */
  readonly sources?: readonly number[];
}

/** What is known about a stream: its text if it can be computed, and the commands it comes from. */
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
  /** True if the tool is known to have this option, and therefore whether it takes a value. */
  readonly declared: boolean;
  /**
   * True for an option before a subcommand that has one of the same name: `git -C x branch` differs from `git branch -C
   * x`.
   */
  readonly general?: true;
}

export type Place = 'local' | 'container' | 'remote';

/** One program (or builtin) that would run. Wrappers appear as themselves and again as what they wrap. */
export interface SimpleCommand {
  /** Base name, as written; null if unknown. */
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
  /** True if an unknown program was only assumed to run its arguments. */
  readonly guessed: boolean;
  /** True if the command only prints its usage or what it would do. */
  readonly inert: boolean;
  /** Null if unknown. */
  readonly cwd: string | null;
  /** Patterns that match the directory, if it is not known otherwise. */
  readonly within?: readonly string[];
  /** Number of nested parses that led to this command. */
  readonly depth: number;
  /** Offsets in the text passed to `analyse`. A command found inside a string has the span of the outermost command. */
  readonly span: { readonly start: number; readonly end: number };
}

/**
 * How certain an effect is: on exactly this target, on this target among others, or only if unknown parts turn out that
 * way.
 */
export type Certainty = 'certain' | 'likely' | 'possible';

/**
 * Whether a search filters what its glob matches. `surely`: it does. `perhaps`: a test by age, size or owner, or a
 * negated one, may let everything through. `aged`: like `perhaps`, and only old files match. `nearby`: like `surely`,
 * and the search does not descend into subdirectories.
 */
export type SearchFilter = false | 'perhaps' | 'aged' | 'surely' | 'nearby';

/**
 * A path. `path` is absolute if the working directory is known, and null if a part is unknown. Then `prefix` is the longest
 * known directory above it, and `ending` the known end (`/.ssh/config` for `"$X"/.ssh/config`).
 */
export interface PathRef {
  readonly path: string | null;
  readonly prefix: string | null;
  readonly ending: string | null;
  readonly raw: string;
  readonly glob: boolean;
  readonly sifted: SearchFilter;
  /** Patterns that match it if `path` is null: `"$f"` in a loop over `~/.*`. */
  readonly among?: readonly string[];
  /** True if it is certainly such a match, because the name was not changed since. */
  readonly isName?: true;
  /** The path with every `..` that follows a name, which leads elsewhere if that name is a link. */
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
  /** A program that prints the contents of a database. */
  | { readonly kind: 'database'; readonly of: string };

/** Fields that every effect has. */
export interface Caused {
  /** Index in `commands` of the command that causes it. */
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
        /** True if files in this directory are written whose names are unknown. */
        readonly below: boolean;
        /** True if the previous content is lost and no new content is written. */
        readonly truncated?: true;
      } & PathRef)
    | ({
        readonly kind: 'delete';
        readonly recursive: boolean;
        readonly force: boolean;
        /** True if the file exists under another name afterwards. */
        readonly moved: boolean;
      } & PathRef)
    | ({
        readonly kind: 'permission';
        /** Null if unknown, and if the owner changes instead. */
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
        /** True if it sends data of this machine in addition to the request itself. */
        readonly sends: boolean;
      }
    | ({
        /** Bytes of this machine that leave it, traced to where they were read. */
        readonly kind: 'send';
        readonly host: string | null;
        readonly what: 'file' | 'environment' | 'secret' | 'variable' | 'database';
        /** True if the program text names this as the data to send, not as credentials. */
        readonly told?: true;
      } & PathRef)
    | {
        readonly kind: 'privilege';
        readonly how: string;
        readonly user: string | null;
        /** True if it opens an interactive shell, where anything may be typed. */
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
        /** Code that an interpreter loads. */
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
        /** How else it changes, if known. */
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
  /** A directory in the tree. */
  readonly folder: string;
  /** True if ignored files may be deleted as well. */
  readonly ignored: boolean;
}

export type EffectKind = Effect['kind'];
export type EffectOf<K extends EffectKind> = Extract<Effect, { readonly kind: K }>;

/**
 * `complete`: `commands` has every command that would run. `partial`: more may run, and `why` says what could not be
 * followed. `failed`: not understood; `commands` is a best effort and never a basis for an allow. `over-budget`: too
 * large to read completely; a shell would still run all of it.
 */
type Coverage = 'complete' | 'partial' | 'failed' | 'over-budget';

export interface Analysis {
  readonly coverage: Coverage;
  readonly why: readonly string[];
  readonly commands: readonly SimpleCommand[];
  readonly effects: readonly Effect[];
  /** Program texts in the line, with the command that runs each. */
  readonly code: readonly { readonly command: number; readonly text: string }[];
  /** What exists afterwards that did not exist before. */
  readonly left: readonly Left[];
  /** Patterns behind placeholder names, by mark. */
  readonly names: Names;
}

/** Patterns of absolute paths, by the mark that stands for one of their matches. */
export type Names = ReadonlyMap<string, readonly string[]>;

/** A file or a link that a command line leaves behind. */
export interface Left {
  readonly path: string;
  /** Sources of its bytes; empty if the line itself contains them. */
  readonly origins: readonly Origin[];
  /** Target of a link. */
  readonly link: string | null;
  /** Content as far as the line tells, with `UNKNOWN` for each unknown piece. */
  readonly text?: string;
}

/** What earlier command lines left behind, by absolute path. */
export interface Before {
  /** Undefined for a file that none of them wrote. */
  originsOf(path: string): readonly Origin[] | undefined;
  /** Like `originsOf`, but empty if nothing is known. */
  sourcesOf(path: string): readonly Origin[];
  /** True if they left any link. */
  readonly hasLinks: boolean;
  linkAt(path: string): string | undefined;
  /** True if nothing exists there now, even after an announced write. */
  isAbsent(path: string): boolean;
  /** Absolute paths of the files they wrote. */
  paths(): Iterable<string>;
  /** Current content of a file that one of them wrote. Null if it is not text, `UNKNOWN` if it is too long. */
  textOf(path: string): string | null;
}

export interface AnalyseOptions {
  readonly cwd?: string;
  /** Variables that the shell starts with. A missing variable is unknown, not unset. */
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly before?: Before;
  /** The shell that reads the line: a POSIX shell, unless the text is clearly PowerShell. */
  readonly shell?: 'powershell';
}
