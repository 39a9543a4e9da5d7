import type { Database } from '../database/driver.ts';

/** How many calls of a session were denied. */
export function deniedIn(db: Database, session: string): number {
  const row = db
    .prepare("SELECT count(*) AS denied FROM events WHERE session_id = ? AND decision = 'deny'")
    .get(session);
  return Number(row?.denied ?? 0);
}
