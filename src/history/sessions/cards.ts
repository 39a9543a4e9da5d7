import { changedLines } from '../../model/changes.ts';
import { oneLine } from '../../model/text.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import type { Database } from '../../store/database/driver.ts';
import { listEvents, listSessions, type StoredSession } from '../../store/read/queries.ts';
import { toBrief } from '../calls/event-brief.ts';
import type { Excerpt } from '../observations/observation.ts';
import { currentActivity, type Doing } from './activity.ts';
import { summarise, type TestsState, testsState } from './summary.ts';

/** A session as a row of a list: its purpose and result. Null is unknown. */
export interface SessionCard extends StoredSession {
  readonly intent: string | null;
  readonly filesChanged: number;
  readonly lines: { readonly added: number; readonly removed: number } | null;
  readonly tests: TestsState | null;
  readonly errors: number;
  readonly denied: number;
  readonly lastMessage: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly doing: Doing;
}

export type SessionSum = Omit<SessionCard, keyof StoredSession | 'doing'>;

const REMEMBERED = 1_000;
/** Enough to see what is open. */
const NEWEST_EVENTS = 40;
const LONGEST_MESSAGE = 300;

/** Lists sessions. Unchanged ones aren't counted again. */
export function createSessionCards(
  db: Database,
): (
  filter: { readonly since?: number; readonly limit: number },
  waits: (session: StoredSession) => number,
  now: number,
) => readonly SessionCard[] {
  const known = new BoundedMap<string, { readonly mark: string; readonly sum: SessionSum }>(REMEMBERED);
  return (filter, waits, now) =>
    listSessions(db, filter).map((session) => {
      const key = `${session.source}/${session.sessionId}`;
      const mark = `${session.sequence} ${newestObservation(db, session)}`;
      const before = known.get(key);
      const sum = before?.mark === mark ? before.sum : sessionSum(db, session);
      known.set(key, { mark, sum });
      return { ...session, ...sum, doing: doingOf(db, session, waits(session), now) };
    });
}

function doingOf(db: Database, session: StoredSession, waits: number, now: number): Doing {
  const { sessionId, source } = session;
  const events =
    session.endedAt === null
      ? listEvents(db, { session: sessionId, source, newest: true, limit: NEWEST_EVENTS }).map(toBrief)
      : [];
  return currentActivity(session, events, waits, now);
}

function newestObservation(db: Database, { sessionId, source }: StoredSession): number {
  const row = db
    .prepare('SELECT max(row) AS row FROM observations WHERE session_id = ? AND source = ?')
    .get(sessionId, source);
  return Number(row?.row ?? 0);
}

/** Counted results of a session. */
export function sessionSum(db: Database, session: StoredSession): SessionSum {
  const { intent, filesChanged, tests, errors, denied, lastMessage } = summarise(db, session);
  const used = usageOf(db, session);
  return {
    // The prompt is known before the session is observed.
    intent: intent ?? firstPrompt(db, session),
    filesChanged,
    lines: filesChanged === 0 ? null : linesChanged(db, session),
    tests: testsState(tests),
    errors,
    denied,
    lastMessage: lastMessage === null ? null : oneLine(lastMessage, LONGEST_MESSAGE),
    ...used,
  };
}

function firstPrompt(db: Database, { sessionId, source }: StoredSession): string | null {
  const row = db
    .prepare(
      `SELECT substr(json_extract(event, '$.prompt'), 1, 200) AS prompt FROM events
       WHERE session_id = ? AND source = ? AND +type = 'before_agent' ORDER BY sequence LIMIT 1`,
    )
    .get(sessionId, source);
  return row?.prompt == null ? null : String(row.prompt);
}

function usageOf(db: Database, { source, sessionId }: StoredSession): Pick<SessionSum, 'tokens' | 'costUsd'> {
  const row = db
    .prepare(
      `SELECT input_tokens + output_tokens + cache_read_tokens + cache_write_tokens AS tokens, cost_usd AS cost
       FROM transcripts WHERE source = ? AND session_id = ?`,
    )
    .get(source, sessionId);
  const tokens = Number(row?.tokens ?? 0);
  return { tokens: tokens === 0 ? null : tokens, costUsd: row?.cost == null ? null : Number(row.cost) };
}

interface FileDetail {
  readonly before: Excerpt | null;
  readonly after: Excerpt | null;
}

/** Null if one of the changes was too long to be stored, because a number that is too small would be wrong. */
function linesChanged(db: Database, { source, sessionId }: StoredSession): SessionCard['lines'] {
  const rows = db
    .prepare(
      `SELECT json_extract(detail, '$.before') AS before, json_extract(detail, '$.after') AS after FROM observations
       WHERE session_id = ? AND source = ? AND kind = 'file' AND action <> 'read' AND outcome IS NOT 'failed'`,
    )
    .all(sessionId, source);
  let added = 0;
  let removed = 0;
  for (const row of rows) {
    const { before, after } = detailOf(row);
    if (after === null || (before !== null && before.hash !== null) || after.hash !== null) return null;
    for (const { mark } of changedLines(linesOf(before), linesOf(after), 0)) {
      if (mark === '+') added += 1;
      else if (mark === '-') removed += 1;
    }
  }
  return { added, removed };
}

function detailOf(row: Readonly<Record<string, unknown>>): FileDetail {
  const read = (value: unknown): Excerpt | null => {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : null;
    if (typeof parsed !== 'object' || parsed === null || !('text' in parsed)) return null;
    const hash = 'hash' in parsed && typeof parsed.hash === 'string' ? parsed.hash : null;
    const text = String(parsed.text);
    return { text, length: text.length, hash };
  };
  return { before: read(row.before), after: read(row.after) };
}

function linesOf(excerpt: Excerpt | null): readonly string[] {
  return excerpt === null || excerpt.text === '' ? [] : excerpt.text.replace(/\n$/, '').split('\n');
}
