import type { Comments } from './comments.ts';

/**
 * What a call in a program text does with its first arguments. `open`: the second one says whether it reads or writes.
 * `shell`: the first one is a shell line. `argv`: they are a program and its arguments, in a list or one by one.
 * `eval`: it runs text as code of its own language. `dynamic`: what it calls is known only when it runs. `sql`: a
 * database runs it. `download`: from the first one to the second. `chdir`: relative paths start there from then on.
 * `client`: it makes what requests
 * are sent with later. `copy-tree`: files come into the second one, by names that stand elsewhere.
 */
const ACTIONS = [
  'delete',
  'delete-tree',
  'write',
  'append',
  'read',
  'open',
  'rename',
  'copy-tree',
  'permission',
  'network',
  'client',
  'listen',
  'shell',
  'argv',
  'eval',
  'dynamic',
  'sql',
  'download',
  'chdir',
] as const;
export type Action = (typeof ACTIONS)[number];

/** Calls by name: `os.remove` with its module, `.unlink` as a method of anything, `rmtree` on its own. */
type Calls = Readonly<Record<string, Action>>;

export interface Language {
  readonly calls: Calls;
  /** Text between backticks is a shell line. */
  readonly backticks: boolean;
  readonly comments: Comments;
  /** Calls may leave out their parentheses. */
  readonly bareCalls: boolean;
  /** `a->b()` is what other languages write as `a.b()`. */
  readonly arrows?: boolean;
  /** Where what belongs to a statement ends: where it is indented less, at a brace, or at the word `end`. */
  readonly blocks?: 'indent' | 'end';
  /** How values are put into texts: `f'{a}'`, `${a}` between backticks, `#{a}`, `$a`. */
  readonly inserts?: 'braces' | 'dollar' | 'hash' | 'sigils';
  /** A quoted text ends with its line. */
  readonly oneLine?: boolean;
  /** A member that stands without brackets is called all the same. */
  readonly autoCalls?: boolean;
  /** Names of variables begin with `$`, `@` or `%`. */
  readonly sigils?: boolean;
  /** Texts may stand below their line: `<<END`. */
  readonly heres?: boolean;
}

export function table(groups: Readonly<Partial<Record<Action, string>>>): Calls {
  const calls: Record<string, Action> = Object.create(null);
  for (const action of ACTIONS) for (const name of groups[action]?.split(' ') ?? []) calls[name] = action;
  return calls;
}
