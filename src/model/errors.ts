/** Every error a user can meet, with its meaning and the next step. `docs/errors.md` is made from it. */
export const ERRORS = {
  DECODE_SHAPE: [
    "An agent sent a payload that doesn't match its event.",
    "Run `hookline doctor --live`, and report the agent's version if a check fails.",
  ],
  AGENT_UNKNOWN: ['The agent is not supported.', 'Use one of the names that `hookline setup` lists.'],
  AGENT_MISSING: ['The agent is not installed or not on PATH.', 'Install the agent, or add it to PATH.'],
  AGENT_UNREACHABLE: [
    'The agent or its own server is not responding.',
    'Start the agent or its server, and try again.',
  ],
  CONFIG_INVALID: [
    'A configuration file has an invalid value.',
    'Fix the value at the line that the message names.',
  ],
  RULE_INVALID: [
    'A rule file has an invalid rule.',
    'Fix the rule. `hookline rules check` lists every problem.',
  ],
  HOOK_FAILED: [
    'A hook failed to load, threw, timed out or returned an invalid response.',
    'Run `hookline hooks list`, and fix the hook.',
  ],
  NOT_TRUSTABLE: [
    "A project can't be trusted: its `.hookline` has symlinks out of the project, special files, or too many or too large files.",
    'Remove what the message names from `.hookline`.',
  ],
  HOME_OPEN: [
    "Other users can write to Hookline's home, so its rules and hooks can't be trusted.",
    'Run `hookline doctor --fix`.',
  ],
  HOME_UNUSABLE: [
    "Hookline's home can't be created, read or written.",
    'Fix the owner or permissions, or set HOOKLINE_HOME.',
  ],
  FILE_UNUSABLE: [
    "A file or directory can't be read or written.",
    'Fix the owner, the permissions or the disk space.',
  ],
  DAEMON_UNREACHABLE: ['The daemon is not responding.', 'Run `hookline doctor`.'],
  DAEMON_RUNNING: ['Another daemon already serves this home.', 'Use it, or run `hookline down` first.'],
  DAEMON_START: ['The daemon did not start.', 'Read the log that the message names.'],
  FLEET_UNREACHABLE: [
    'The fleet server is unreachable or rejected the login.',
    'Check the address and the login, then `hookline fleet status`.',
  ],
  DATABASE_UNREACHABLE: [
    'The fleet database is unreachable or rejected the login.',
    'Check the address and the login of the database.',
  ],
  STORE_DRIVER: [
    'This Node version has no SQLite that Hookline can use.',
    'Install a supported version of Node.',
  ],
  STORE_NEWER: ['The database was written by a newer version of Hookline.', 'Update Hookline.'],
  SETTINGS_UNREADABLE: [
    "An agent's settings file can't be parsed, so it was not changed.",
    'Fix the syntax of the file, then run the command again.',
  ],
  SETTINGS_UNWRITABLE: [
    "An agent's settings file can't be written.",
    'Fix the owner or permissions of the file.',
  ],
  SETTINGS_CHANGED: [
    "An agent's settings file changed while Hookline was editing it.",
    'Run the command again.',
  ],
  NOT_A_PERSON: [
    "Only a person can do this, and the caller can't be identified as one.",
    'Run it yourself in a terminal that no agent opened, or use a script key.',
  ],
  NOT_FOUND: [
    'No event, session, rule or approval has this ID.',
    'Copy the ID from `hookline events`, `sessions`, `rules list` or `approvals`.',
  ],
  USAGE: ['Invalid command-line arguments.', 'Run the command with `--help`.'],
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
