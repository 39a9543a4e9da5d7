import type { Place, Word } from './analysis.ts';
import type { Call } from './call.ts';
import { FOUND } from './paths.ts';
import type { Upload } from './tools/uploads.ts';

type Role = 'read' | 'write' | 'delete';

/** What is known about one program. Most of it is data; `run` is for what data cannot say. */
export interface Tool {
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
  /** Options with which it only says what it would do. */
  readonly dryRun?: readonly string[];
  readonly wraps?: Wrap;
  /** Options whose values it uses (to log in, to say who asks) and does not pass on. */
  readonly uses?: readonly string[];
  /** It prints facts about what it reads, not what is in it; with `aboutWith`, only with these options. */
  readonly about?: boolean;
  readonly aboutWith?: readonly string[];
  /** It reads its input only when an argument says so: `@-`. */
  readonly inputIfTold?: boolean;
  /** What it writes has no content of its own: `touch`, `mkfifo`. */
  readonly empties?: boolean;
  /** What it sends to another machine. */
  readonly uploads?: readonly Upload[];
  /** Returns what it prints, as a template; nothing when that is unknown. */
  readonly run?: (call: Call) => string | undefined;
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
  readonly place?: Place;
  /** The option that sets the working directory. */
  readonly cwd?: string;
  /** Shell functions are still seen by what it runs. */
  readonly functions?: boolean;
}

export type ToolTable = Readonly<Record<string, Tool>>;

/** What a search finds is there already, and `touch` changes nothing of it but a date. */
export function onlyMade(tool: Tool, { template }: Word): boolean {
  return tool.empties === true && template.includes(FOUND);
}
