/** Machines report every minute. */
const LATE_MS = 3 * 60_000;

interface Reported {
  /** By the machine's clock. */
  readonly at: string;
  /** By the reader's clock, if known. */
  readonly heardAt?: number;
}

/** Time of a machine's last report. Its own clock may be wrong by hours. */
export function reportedAt({ at, heardAt }: Reported): number {
  return heardAt ?? Date.parse(at);
}

/** True if a machine hasn't reported for minutes: it is offline or its daemon isn't running. */
export function isLate(reported: Reported, now: number): boolean {
  return now - reportedAt(reported) > LATE_MS;
}
