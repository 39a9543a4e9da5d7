import { untilText } from '../text.ts';

/** Away mode: its start, its end, and who turned it on. */
export interface AwayState {
  /** As ISO times. */
  readonly since: string;
  /** Null without a set end. */
  readonly until: string | null;
  readonly by: string;
}

/** For every surface, while away mode is on. */
export function awayText({ until }: AwayState): string {
  const end = until === null ? 'is on' : `is on until ${untilText(Date.parse(until), Date.now())}`;
  return `Away mode ${end}. Calls stay pending longer, and answers from your phone apply once. Turn it off: hookline back`;
}

/** Returns the state if it still applies. */
export function stillAway(state: AwayState | null, now: number): AwayState | null {
  return state !== null && (state.until === null || Date.parse(state.until) > now) ? state : null;
}
