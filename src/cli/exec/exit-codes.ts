/**
 * How a run ended, and the exit code that says so. Never 2: to an agent that is a denial. `1` is left for what every
 * command may say: it was called the wrong way, or Hookline itself is broken.
 */
export const EXIT_CODES = {
  /** The turn ended by itself. Calls may have been denied on the way. */
  done: 0,
  /** The prompt was blocked, or a rule, a hook or a person ended the turn. */
  denied: 3,
  /** The turn ended while a gate still refused it. */
  gated: 4,
  timeout: 5,
  /** The agent failed: its own exit code is not 0, or it did not finish its turn. */
  failed: 6,
  /** The agent is not set up, or it ran without calling its hooks. */
  unguarded: 7,
  /** As shells count: 128 and the number of the signal. */
  interrupted: 130,
  terminated: 143,
} as const;

export type RunOutcome = keyof typeof EXIT_CODES;
