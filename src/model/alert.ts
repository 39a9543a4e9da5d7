/** Code prefix of alerts about an agent whose hooks differ from what setup wrote. */
export const GUARD_LOST = 'guard-lost-';
/** Code of the alert about Hookline's own program. */
export const PROGRAM_CHANGED = 'program-changed';
/** Code of the alert about changes that wait for a person. */
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
  /** What to do about it; null if nothing. */
  readonly fix: string | null;
  /** When it was noticed, as an ISO time. */
  readonly at: string;
}

/** Alerts that surfaces show until cleared, or until the daemon ends. */
export interface Alerts {
  raise(alert: Omit<Alert, 'at'>): void;
  /** Clears an alert whose cause is gone. */
  clear(code: string): void;
  /** The newest last. */
  list(): readonly Alert[];
  /** Called with each new alert, and with null when one is cleared. Returns a function to unsubscribe. */
  subscribe(listener: (alert: Alert | null) => void): () => void;
}

/** One line for a surface. */
export function alertText({ message, fix }: Pick<Alert, 'message' | 'fix'>): string {
  return fix === null ? message : `${message} ${fix}`;
}
