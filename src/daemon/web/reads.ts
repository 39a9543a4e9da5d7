import { type EventBrief, toBrief } from '../../history/calls/event-brief.ts';
import { withWaiting } from '../../history/calls/waiting.ts';
import { sessionSum } from '../../history/sessions/cards.ts';
import { worldOf } from '../../home/engine.ts';
import type { Database } from '../../store/database/driver.ts';
import { waitingApprovals } from '../../store/read/approvals.ts';
import { listEvents, listSessions, type StoredSession } from '../../store/read/queries.ts';
import type { SessionBrief, SessionView } from './shapes.ts';

const MOST_EVENTS = 3_000;

/** With what the user asked for first, which tells sessions apart better than their ids. */
function briefSession(db: Database, session: StoredSession): SessionBrief {
  const row = db
    .prepare(
      `SELECT substr(json_extract(event, '$.prompt'), 1, 200) AS prompt FROM events
       WHERE session_id = ? AND source = ? AND +type = 'before_agent' ORDER BY sequence LIMIT 1`,
    )
    .get(session.sessionId, session.source);
  return {
    ...session,
    intent: row?.prompt == null ? null : String(row.prompt),
    branch: branchOfSession(session),
  };
}

/** Where a session works, as long as it does. */
export function branchOfSession({ endedAt, cwd }: Pick<StoredSession, 'endedAt' | 'cwd'>): string | null {
  return endedAt !== null || cwd === null ? null : worldOf().branchOf(cwd);
}

/** Of certain projects only, where those are given. */
export function recentSessions(
  db: Database,
  limit: number,
  projects: readonly string[] | null = null,
): readonly SessionBrief[] {
  const found =
    projects === null
      ? listSessions(db, { limit })
      : projects.flatMap((project) => listSessions(db, { project, limit }));
  const newest = [...found].sort((a, b) => b.lastAt - a.lastAt).slice(0, limit);
  return newest.map((session) => briefSession(db, session));
}

/** The newest events, of certain projects only where those are given; oldest first. */
export function recentEvents(
  db: Database,
  limit: number,
  projects: readonly string[] | null = null,
): readonly EventBrief[] {
  const found =
    projects === null
      ? listEvents(db, { newest: true, limit })
      : projects.flatMap((project) => listEvents(db, { project, newest: true, limit }));
  return [...found]
    .sort((a, b) => a.row - b.row)
    .slice(-limit)
    .map(toBrief);
}

/** Those that something was found in. */
export function sessionsOf(
  db: Database,
  of: readonly { readonly source: string; readonly sessionId: string }[],
): readonly SessionBrief[] {
  const wanted = new Map(of.map((one) => [`${one.source}/${one.sessionId}`, one]));
  return [...wanted.values()].flatMap(({ source, sessionId }) =>
    listSessions(db, { source, session: sessionId, limit: 1 }).map((session) => briefSession(db, session)),
  );
}

/** One session with its newest events, oldest first. */
export function sessionView(
  db: Database,
  source: string,
  sessionId: string,
  isSeen: (of: { readonly projectId: string | null }) => boolean = () => true,
): SessionView | null {
  const session = listSessions(db, { source, session: sessionId, limit: 1 })[0];
  if (!session || !isSeen(session)) return null;
  const events = listEvents(db, { session: sessionId, source, newest: true, limit: MOST_EVENTS + 1 });
  return {
    session: briefSession(db, session),
    summary: sessionSum(db, session),
    events: withWaiting(
      events.slice(-MOST_EVENTS).filter(isSeen).map(toBrief),
      waitingApprovals(db, { session: sessionId, source }, Date.now()).filter(isSeen),
    ),
    cut: events.length > MOST_EVENTS,
  };
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
