/** Every error a user can meet, in one table: `docs/errors.md` is made from it. */
export const ERRORS = {
  DECODE_SHAPE: "An agent sent a payload that doesn't match its event.",
  AGENT_UNKNOWN: 'The agent is not supported.',
  AGENT_MISSING: 'The agent is not installed or not on PATH.',
  AGENT_UNREACHABLE: 'The agent or its own server is not responding.',
  CONFIG_INVALID: 'A configuration file has an invalid value.',
  RULE_INVALID: 'A rule file has an invalid rule.',
  HOOK_FAILED: 'A hook failed to load, threw, timed out or returned an invalid response.',
  NOT_TRUSTABLE:
    "A project can't be trusted: its `.hookline` has symlinks out of the project, special files, or too many or too large files.",
  HOME_OPEN: "Other users can write to Hookline's home, so its rules and hooks can't be trusted.",
  HOME_UNUSABLE: "Hookline's home can't be created, read or written.",
  FILE_UNUSABLE: "A file or directory can't be read or written.",
  DAEMON_UNREACHABLE: 'The daemon is not responding.',
  DAEMON_RUNNING: 'Another daemon already serves this home.',
  DAEMON_START: 'The daemon did not start.',
  FLEET_UNREACHABLE: 'The fleet server is unreachable or rejected the login.',
  DATABASE_UNREACHABLE: 'The fleet database is unreachable or rejected the login.',
  STORE_DRIVER: 'This Node version has no SQLite that Hookline can use.',
  STORE_NEWER: 'The database was written by a newer version of Hookline.',
  SETTINGS_UNREADABLE: "An agent's settings file can't be parsed, so it was not changed.",
  SETTINGS_UNWRITABLE: "An agent's settings file can't be written.",
  SETTINGS_CHANGED: "An agent's settings file changed while Hookline was editing it.",
  NOT_A_PERSON: "Only a person can do this, and the caller can't be identified as one.",
  NOT_FOUND: 'Not found.',
  USAGE: 'Invalid command-line arguments.',
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
      hint: 'Run `hookline doctor` to compare agent versions.',
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
  return error.message.replace(/^getaddrinfo \w+ (?=\S+$)/, 'unknown host ');
}
