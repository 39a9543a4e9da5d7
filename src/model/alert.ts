/** What the code of an alert begins with that is about an agent whose hooks are not what setup wrote. */
export const GUARD_LOST = 'guard-lost-';
/** The code of the one that is about Hookline's own program. */
export const PROGRAM_CHANGED = 'program-changed';
/** The code of the one that is about changes which wait for a person. */
export const UNCONFIRMED = 'unconfirmed';
/** Code of the alert about such changes on a system where no person can confirm them. */
export const WEAKENED_AT_ONCE = 'weakened-at-once';
/** Code prefix of alerts about a channel that can't take answers now. */
export const CHANNEL_DOWN = 'channel-';

/** Something that the user should know, on every surface. */
export interface Alert {
  readonly code: string;
  /** A problem is shown until it is fixed; a notice is delivered once. */
  readonly level: 'problem' | 'notice';
  readonly message: string;
  /** What helps; null where nothing is to be done. */
  readonly fix: string | null;
  /** When it was noticed, as an ISO time. */
  readonly at: string;
}

/** What surfaces show until it is cleared, or the daemon ends. */
export interface Alerts {
  raise(alert: Omit<Alert, 'at'>): void;
  /** What it was about no longer applies. */
  clear(code: string): void;
  /** The newest last. */
  list(): readonly Alert[];
  /** Called with each new one, and with null when one is cleared. Returns the way to stop. */
  subscribe(listener: (alert: Alert | null) => void): () => void;
}

/** One line for a surface. */
export function alertText({ message, fix }: Pick<Alert, 'message' | 'fix'>): string {
  return fix === null ? message : `${message} ${fix}`;
}
