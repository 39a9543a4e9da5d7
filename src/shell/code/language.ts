import type { Comments } from './comments.ts';

/**
 * What a call in a program text does with its first arguments. `open`: the second one says whether it reads or writes.
 * `shell`: the first one is a shell line. `argv`: a program and its arguments, in a list or one by one. `eval`: runs
 * text as code of the same language. `dynamic`: the callee is known only at run time. `sql`: a database runs it.
 * `download`: from the first argument to the second. `chdir`: relative paths start there afterwards. `client`: creates
 * the client of later requests. `copy-tree`: copies files into the second one, under names found elsewhere.
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

/** Calls by name: `os.remove` with its module, `.unlink` as a method of anything, `rmtree` without a receiver. */
type Calls = Readonly<Record<string, Action>>;

export interface Language {
  readonly calls: Calls;
  /** True if text between backticks is a shell line. */
  readonly backticks: boolean;
  readonly comments: Comments;
  /** True if calls may omit their parentheses. */
  readonly bareCalls: boolean;
  /** True if `a->b()` means what other languages write as `a.b()`. */
  readonly arrows?: boolean;
  /** What ends a block besides a closing brace: less indentation, or the word `end`. */
  readonly blocks?: 'indent' | 'end';
  /** How values are interpolated: `f'{a}'`, `${a}` between backticks, `#{a}`, `$a`. */
  readonly inserts?: 'braces' | 'dollar' | 'hash' | 'sigils';
  /** True if a quoted text ends with its line. */
  readonly oneLine?: boolean;
  /** True if naming a member without brackets calls it. */
  readonly autoCalls?: boolean;
  /** True if variable names begin with `$`, `@` or `%`. */
  readonly sigils?: boolean;
  /** True if the language has here-documents: `<<END`. */
  readonly heres?: boolean;
}

export function table(groups: Readonly<Partial<Record<Action, string>>>): Calls {
  const calls: Record<string, Action> = Object.create(null);
  for (const action of ACTIONS) for (const name of groups[action]?.split(' ') ?? []) calls[name] = action;
  return calls;
}
