/** Where an agent's settings are edited: for this user, for one project, or beside them as an extension of our own. */
export type Scope = 'user' | 'project' | 'extension';

/** What setup needs to know of the machine. Everything is passed in, so that tests never touch a real home. */
export interface SetupContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  /** The project folder, for project scope. */
  readonly cwd: string;
  readonly scope: Scope;
  /** Absolute path of the installed forwarder. */
  readonly forwarder: string;
  /** The user wants a failing guard to stop the agent rather than to let it pass. */
  readonly failClosed: boolean;
  /** Native events to add to, or with `-` to take from, the default list. */
  readonly events?: readonly string[];
}

/** One file as it is and as it shall be; null is a file that does not exist. Nothing is written by a plan. */
export interface FileEdit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** `before` without what an earlier setup put in; given only where that differs. It counts as the original. */
  readonly bare?: string;
}

export interface Detection {
  readonly installed: boolean;
  readonly path: string | null;
  readonly version: string | null;
}

export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly code: string;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string | null;
}

export interface AgentSetup {
  /** Where entries can go, the best place first; user and project where nothing is said. */
  readonly scopes?: readonly [Scope, ...Scope[]];
  /** Is the client on this machine, and which version. */
  detect(context: SetupContext): Promise<Detection>;
  /** The edits that put our entries in; empty when they are in already. Throws SETTINGS_UNREADABLE, USAGE. */
  plan(context: SetupContext): readonly FileEdit[];
  /** The edits that take out our entries and nothing else; empty when there are none. */
  unplan(context: SetupContext): readonly FileEdit[];
  /** What is wrong, or right, with this agent's settings. */
  inspect(context: SetupContext): readonly Finding[];
}

/** Where an agent's entries can go, the place that is taken without being asked for first. */
export function scopesOf(setup: Pick<AgentSetup, 'scopes'>): readonly [Scope, ...Scope[]] {
  return setup.scopes ?? ['user', 'project'];
}

/** An edit, unless it would change nothing. */
export function changed(edit: FileEdit): readonly FileEdit[] {
  return edit.after === edit.before ? [] : [edit];
}

/** The `bare` of an edit, where it differs from what is there. */
export function bareOf(bare: string | null, before: string | null): Pick<FileEdit, 'bare'> {
  return bare === null || bare === before ? {} : { bare };
}
