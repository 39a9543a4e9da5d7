/** After this time without events, an open session counts as lost, for example because its agent was killed. */
export const LOST_AFTER_MS: number = 6 * 3_600_000;

export type SessionState = 'live' | 'ended' | 'lost';

export function sessionState(
  { endedAt, lastAt }: { readonly endedAt: number | null; readonly lastAt: number },
  now: number,
): SessionState {
  if (endedAt !== null) return 'ended';
  return now - lastAt > LOST_AFTER_MS ? 'lost' : 'live';
}
