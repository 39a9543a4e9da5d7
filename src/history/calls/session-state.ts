/** Without a sign of life for so long, a session that has not ended is lost: its agent was killed, say. */
export const LOST_AFTER_MS: number = 6 * 3_600_000;

export type SessionState = 'live' | 'ended' | 'lost';

export function sessionState(
  { endedAt, lastAt }: { readonly endedAt: number | null; readonly lastAt: number },
  now: number,
): SessionState {
  if (endedAt !== null) return 'ended';
  return now - lastAt > LOST_AFTER_MS ? 'lost' : 'live';
}
