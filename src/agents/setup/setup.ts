import type { AgentWrapper } from './wrapper.ts';

/** Where an agent's settings are edited: for this user, for one project, or beside them as an extension of our own. */
export type Scope = 'user' | 'project' | 'extension';

/** What setup needs to know about the machine. Everything is passed in, so that tests never touch a real home. */
export interface SetupContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** The project folder, for project scope. */
  readonly cwd: string;
  readonly scope: Scope;
  /** Absolute path of the installed forwarder. */
  readonly forwarder: string;
  /** The user wants a failing hook to stop the agent rather than to let it pass. */
  readonly failClosed: boolean;
  /** Native events to add to the default list, or with a leading `-` to leave out. */
  readonly events?: readonly string[];
  /** The client has a plugin or an extension of ours: entries beside it would be called as well. */
  readonly wrapped?: true;
  /** What prints the status line, without the agent's name, where the user wants one. */
  readonly statusLine?: string;
}

/** One file before and after; null is a file that does not exist. A plan writes nothing. */
export interface FileEdit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** What removal restores, where that is not `before`: it may have entries of an earlier setup. */
  readonly original?: string;
}

export interface Detection {
  readonly installed: boolean;
  readonly path: string | null;
  readonly version: string | null;
  /** What the client complains of when it is asked for its version and tells none. */
  readonly problem?: string;
}

export interface Finding {
  /** `problem`: a guard does not apply. `limit`: what the client cannot do, whatever one does about it. */
  readonly level: 'ok' | 'limit' | 'warning' | 'problem';
  readonly code: string;
  readonly message: string;
  /** What follows from it, where the message does not say so. */
  readonly why?: string;
  /** What to do about it. */
  readonly fix: string | null;
  /** Running setup again fixes it, without reverting a user's choice. */
  readonly bySetup?: true;
}

export interface AgentSetup {
  /** Where entries can go, the best place first; user and project unless given. */
  readonly scopes?: readonly [Scope, ...Scope[]];
  /** The client's own way of installing us; where it is used, `plan` adds no entries beside it. */
  readonly wrapper?: AgentWrapper;
  /** Where the client can show a line of ours: which session it is for, by what it gives the program that makes it. */
  statusLineSession?(given: unknown): string | null;
  /** Is the client on this machine, and which version. */
  detect(context: SetupContext): Promise<Detection>;
  /** The edits that add our entries; empty when they are there already. Throws SETTINGS_UNREADABLE, USAGE. */
  plan(context: SetupContext): readonly FileEdit[];
  /** The edits that remove our entries and nothing else; empty when there are none. */
  planRemoval(context: SetupContext): readonly FileEdit[];
  /** What is wrong, or right, with this agent's settings. */
  inspect(context: SetupContext): readonly Finding[];
}

/** Where an agent's entries can go, the default first. */
export function scopesOf(setup: Pick<AgentSetup, 'scopes'>): readonly [Scope, ...Scope[]] {
  return setup.scopes ?? ['user', 'project'];
}

/** An edit, unless it would change nothing. */
export function changed({
  original,
  ...edit
}: Omit<FileEdit, 'original'> & { readonly original?: string | null }): readonly FileEdit[] {
  if (edit.after === edit.before) return [];
  return typeof original === 'string' && original !== edit.before ? [{ ...edit, original }] : [edit];
}
