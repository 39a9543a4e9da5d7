/** Machines say every minute that they are there. */
const LATE_MS = 3 * 60_000;

interface Reported {
  /** By the clock of the machine. */
  readonly at: string;
  /** By the clock of the reader, as far as that is known. */
  readonly heardAt?: number;
}

/** When a machine has last reported. Its own clock may be wrong by hours. */
export function reportedAt({ at, heardAt }: Reported): number {
  return heardAt ?? Date.parse(at);
}

/** Whether a machine is away, or its daemon does not run: it has not said anything for minutes. */
export function isLate(reported: Reported, now: number): boolean {
  return now - reportedAt(reported) > LATE_MS;
}
