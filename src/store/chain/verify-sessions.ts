import type { Database } from '../database/driver.ts';

/** What the events say about their sessions. */
const BY_EVENTS = `SELECT source, session_id, max(sequence) AS sequence, max(prompt_number) AS prompts,
    max(tool_number) AS tools, min(timestamp) AS first, max(timestamp) AS last
  FROM events GROUP BY session_id, source`;

const inEvents = (condition: string) =>
  `EXISTS (SELECT 1 FROM events v WHERE v.session_id = s.session_id AND v.source = s.source AND ${condition})`;

/** Wrong, even if events were deleted. */
const IMPOSSIBLE = `e.sequence > s.sequence OR e.prompts > s.prompt_number OR e.tools > s.tool_number
  OR e.first < s.started_at OR e.last > s.last_at`;

/** Wrong only if no event is missing. */
const DIFFERENT = `e.sequence IS NULL OR e.sequence <> s.sequence OR e.prompts <> s.prompt_number
  OR e.tools <> s.tool_number OR e.first <> s.started_at OR e.last <> s.last_at
  OR (s.ended_at IS NOT NULL AND NOT ${inEvents("v.type = 'session_end' AND v.timestamp = s.ended_at")})
  OR (s.cwd IS NULL) <> (NOT ${inEvents('v.cwd IS NOT NULL')})
  OR (s.cwd IS NOT NULL AND NOT ${inEvents('v.cwd = s.cwd')})
  OR (s.project_id IS NULL) <> (NOT ${inEvents('v.project_id IS NOT NULL')})
  OR (s.project_id IS NOT NULL AND NOT ${inEvents('v.project_id = s.project_id')})`;

/**
 * Number of sessions that don't match their events. Sessions aren't part of the chain, so only their events can
 * confirm them.
 */
export function countWrongSessions(db: Database): number {
  const isComplete = db.prepare('SELECT 1 FROM chain_gaps LIMIT 1').get() === undefined;
  const wrong = isComplete ? `${IMPOSSIBLE} OR ${DIFFERENT}` : IMPOSSIBLE;
  const listed = `SELECT count(*) AS n FROM sessions s LEFT JOIN (${BY_EVENTS}) e
    ON e.source = s.source AND e.session_id = s.session_id WHERE ${wrong}`;
  const missing = `SELECT count(*) AS n FROM (${BY_EVENTS}) e WHERE NOT EXISTS
    (SELECT 1 FROM sessions s WHERE s.source = e.source AND s.session_id = e.session_id)`;
  const count = (sql: string) => Number(db.prepare(sql).get()?.n ?? 0);
  return count(listed) + count(missing);
}
