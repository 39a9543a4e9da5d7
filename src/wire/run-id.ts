/** Set by `hookline exec` for the agent and everything it starts: the run that a call belongs to. */
export const RUN_VARIABLE = 'HOOKLINE_RUN';

/** Our ID, followed by those of nested runs. */
const RUN = /^[0-9a-f]{16}(?:\/[0-9a-f]{16}){0,9}$/;

/** The run in these variables; null if there is none. */
export function runIn(env: Readonly<Record<string, string | undefined>>): string | null {
  const run = env[RUN_VARIABLE];
  return run !== undefined && RUN.test(run) ? run : null;
}

/** True if one run is the other, or was started inside it. */
export function isPartOfRun(one: unknown, run: string): boolean {
  return typeof one === 'string' && (one === run || one.startsWith(`${run}/`));
}
