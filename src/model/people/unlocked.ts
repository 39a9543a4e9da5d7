/** The longest that protected rules can be paused. */
export const MOST_UNLOCK_MINUTES = 60;

/** For every surface, while a person has paused protected rules. */
export function unlockedText(until: string): string {
  const time = new Date(until).toTimeString().slice(0, 5);
  return `Protected rules are paused until ${time}: agents can change Hookline and their own settings. Protect them again: hookline unlock --lock`;
}

/** The end of the pause, if it is in the future. */
export function stillUnlocked(until: string | null, now: number): string | null {
  return until !== null && Date.parse(until) > now ? until : null;
}
