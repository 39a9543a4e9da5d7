/** Every error a user can meet, in one table: `docs/errors.md` is made from it. */
export const ERRORS = {
  DECODE_SHAPE: 'An agent sent a payload that does not have the shape of its event.',
  AGENT_UNKNOWN: 'No agent of this name is supported.',
  AGENT_MISSING: 'The agent is not installed, or not where commands are looked for.',
  AGENT_UNREACHABLE: 'The agent, or its own server, does not answer.',
  CONFIG_INVALID: 'A configuration file has a value that Hookline does not understand.',
  RULE_INVALID: 'A rule file has a rule that Hookline does not understand.',
  HOOK_FAILED: 'A hook could not be loaded, threw, took too long or answered what is no response.',
  NOT_TRUSTABLE:
    'A project has files that Hookline does not read: links out of it, devices, or too many or too large ones.',
  HOME_OPEN: 'Others can write to the home of Hookline, so its rules and hooks may not be yours.',
  HOME_UNUSABLE: 'The home of Hookline cannot be created or written.',
  DAEMON_UNREACHABLE: 'The daemon does not answer.',
  DAEMON_RUNNING: 'Another daemon already serves this home.',
  DAEMON_START: 'The daemon did not start.',
  FLEET_UNREACHABLE: 'The server of a fleet is not there, or does not let this machine in.',
  DATABASE_UNREACHABLE: 'The PostgreSQL of a fleet is not there, or does not let us in.',
  STORE_DRIVER: 'This Node has no SQLite that Hookline can use.',
  STORE_NEWER: 'The database was written by a newer Hookline.',
  SETTINGS_UNREADABLE: "An agent's settings file cannot be parsed, so it is left alone.",
  SETTINGS_UNWRITABLE: "An agent's settings file cannot be written.",
  SETTINGS_CHANGED: "An agent's settings file was changed while Hookline was about to edit it.",
  NOT_A_PERSON: 'Only a person may do this, and the caller is not known to be one.',
  NOT_FOUND: 'What was asked for does not exist.',
  USAGE: 'The command was not called the way it expects.',
} as const;

type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** Branch on `code`, never on the text. `hint` is the way out. */
export class HooklineError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | null;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; hint?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HooklineError';
    this.code = code;
    this.hint = options.hint ?? null;
  }
}

/** What is known of a call that cannot be decoded. */
export interface PartlyDecoded {
  /** In the agent's own spelling. */
  readonly nativeEvent: string;
  readonly sessionId: string | null;
  readonly cwd: string | null;
}

/** The only error `decode` throws. */
export class DecodeError extends HooklineError {
  readonly known: PartlyDecoded | null;

  constructor(message: string, options: { cause?: unknown; known?: PartlyDecoded } = {}) {
    super('DECODE_SHAPE', message, {
      cause: options.cause,
      hint: 'Run `hookline doctor` to compare client versions.',
    });
    this.name = 'DecodeError';
    this.known = options.known ?? null;
  }
}

/** What a caught value says; anything can be thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node tries every address of a name, and the error about all of them has no text.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error.message.replace(/^getaddrinfo \w+ (?=\S+$)/, 'no server is known by the name ');
}
