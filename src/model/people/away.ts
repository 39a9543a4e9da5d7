import { untilText } from '../text.ts';

/** While nobody is here: since when, until when, and who said so. */
export interface AwayState {
  /** As ISO times. */
  readonly since: string;
  /** Null until somebody says that they are back. */
  readonly until: string | null;
  readonly by: string;
}

/** For every surface, while away mode is on. */
export function awayText({ until }: AwayState): string {
  const end = until === null ? 'until you are back' : `until ${untilText(Date.parse(until), Date.now())}`;
  return `Away ${end}: calls wait as long as their agents do, and an answer from your phone allows one call, once. End it: hookline back`;
}

/** The state where it is still in force. */
export function stillAway(state: AwayState | null, now: number): AwayState | null {
  return state !== null && (state.until === null || Date.parse(state.until) > now) ? state : null;
}
