import * as v from 'valibot';
import { toBrief } from '../history/event-brief.ts';
import { withWaiting } from '../history/waiting.ts';
import { OWN_SOURCE } from '../model/access.ts';
import { EVENT_TYPES } from '../model/events.ts';
import { waitingApprovals } from '../store/approvals.ts';
import type { Database } from '../store/driver.ts';
import { listEvents, listSessions, type StoredSession } from '../store/queries.ts';
import type { LatencyPoint, SessionBrief, SessionView } from './web-shapes.ts';

const MOST_EVENTS = 3_000;

/** With what the user asked for first, which tells sessions apart better than their ids. */
function briefSession(db: Database, session: StoredSession): SessionBrief {
  const row = db
    .prepare(
      `SELECT substr(json_extract(event, '$.prompt'), 1, 200) AS prompt FROM events
       WHERE session_id = ? AND source = ? AND +type = 'before_agent' ORDER BY sequence LIMIT 1`,
    )
    .get(session.sessionId, session.source);
  return { ...session, intent: row?.prompt == null ? null : String(row.prompt) };
}

export function recentSessions(db: Database, limit: number): readonly SessionBrief[] {
  return listSessions(db, { except: OWN_SOURCE, limit }).map((session) => briefSession(db, session));
}

/** One session with its newest events, oldest first. */
export function sessionView(db: Database, source: string, sessionId: string): SessionView | null {
  const session = listSessions(db, { source, session: sessionId, limit: 1 })[0];
  if (!session) return null;
  const events = listEvents(db, { session: sessionId, source, newest: true, limit: MOST_EVENTS + 1 });
  return {
    session: briefSession(db, session),
    events: withWaiting(
      events.slice(-MOST_EVENTS).map(toBrief),
      waitingApprovals(db, { session: sessionId, source }, Date.now()),
    ),
    cut: events.length > MOST_EVENTS,
  };
}

const point = v.object({
  id: v.string(),
  timestamp: v.number(),
  latency_ms: v.number(),
  source: v.string(),
  type: v.picklist(EVENT_TYPES),
  waited: v.number(),
});

/** What the latest calls cost, oldest first. */
export function latestLatencies(db: Database, limit: number): readonly LatencyPoint[] {
  return db
    .prepare(
      `SELECT e.id, e.timestamp, e.latency_ms, e.source, e.type,
         EXISTS (SELECT 1 FROM approvals a WHERE a.event_id = e.id) AS waited
       FROM events e ORDER BY e.row DESC LIMIT ?`,
    )
    .all(limit)
    .map((raw) => {
      const row = v.parse(point, raw);
      return {
        id: row.id,
        at: row.timestamp,
        ms: row.latency_ms,
        source: row.source,
        type: row.type,
        waited: row.waited === 1,
      };
    })
    .reverse();
}

/** What each agent did last, by its id. */
export function agentTraces(
  db: Database,
): ReadonlyMap<string, { readonly sessions: number; readonly lastAt: number; readonly gaps: number }> {
  const rows = db
    .prepare(
      `SELECT s.source, count(*) AS sessions, max(s.last_at) AS last_at,
         coalesce(sum((SELECT json_array_length(t.gaps) FROM transcripts t
           WHERE t.source = s.source AND t.session_id = s.session_id)), 0) AS gaps
       FROM sessions s GROUP BY s.source`,
    )
    .all();
  return new Map(
    rows.map((row) => [
      String(row.source),
      { sessions: Number(row.sessions), lastAt: Number(row.last_at), gaps: Number(row.gaps) },
    ]),
  );
}
