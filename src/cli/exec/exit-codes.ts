/**
 * How a run ended, and its exit code. Never 2, which agents read as a denial. `1` means what it means for every
 * command: invalid arguments, or Hookline itself failed.
 */
export const EXIT_CODES = {
  /** The turn ended by itself. Calls may have been denied. */
  done: 0,
  /** The prompt was denied, or a rule, a hook or a person ended the turn. */
  denied: 3,
  /** The turn ended although a gate still denied it. */
  gated: 4,
  timeout: 5,
  /** The agent failed: its exit code is not 0, or it didn't finish its turn. */
  failed: 6,
  /** The agent is not set up, or it ran without calling its hooks. */
  unguarded: 7,
  /** As in shells: 128 plus the signal number. */
  interrupted: 130,
  terminated: 143,
} as const;

export type RunOutcome = keyof typeof EXIT_CODES;
