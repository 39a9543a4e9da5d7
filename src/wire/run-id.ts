/** Set by `hookline exec` for the agent it starts and all that the agent starts: which run a call belongs to. */
export const RUN_VARIABLE = 'HOOKLINE_RUN';

/** Ours, and below it those of the runs that were started inside. */
const RUN = /^[0-9a-f]{16}(?:\/[0-9a-f]{16}){0,9}$/;

/** The run that these variables name; null where they name none. */
export function runIn(env: Readonly<Record<string, string | undefined>>): string | null {
  const run = env[RUN_VARIABLE];
  return run !== undefined && RUN.test(run) ? run : null;
}

/** Whether something that belongs to one run is a part of another: it is that run, or was started inside of it. */
export function isPartOfRun(one: unknown, run: string): boolean {
  return typeof one === 'string' && (one === run || one.startsWith(`${run}/`));
}
