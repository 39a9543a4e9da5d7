/** Machines say every minute that they are there. */
const LATE_MS = 3 * 60_000;

/** Whether a machine is away, or its daemon does not run: it has not said anything for minutes. */
export function isLate({ at }: { readonly at: string }, now: number): boolean {
  return now - Date.parse(at) > LATE_MS;
}
