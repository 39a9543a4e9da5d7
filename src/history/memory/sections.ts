import * as v from 'valibot';
import type { Database, Row } from '../../store/database/driver.ts';
import type { RecentSession } from './recent.ts';

type SessionId = Pick<RecentSession, 'source' | 'sessionId'>;

const MOST_LINES = 6;
const MOST_ROWS = 400;

const commandDetail = v.object({ failing: v.optional(v.array(v.string()), []) });
const taskDetail = v.object({ id: v.optional(v.nullable(v.string()), null) });

/** Of the newest test run of each command: those that are still red. */
export function failingTests(db: Database, sessions: readonly SessionId[]): readonly string[] {
  const seen = new Set<string>();
  const lines: string[] = [];
  const runs = rows(db, sessions, "kind = 'command' AND action = 'test'", 'subject, outcome, detail');
  for (const row of runs) {
    const command = String(row.subject);
    if (seen.has(command)) continue;
    seen.add(command);
    if (row.outcome !== 'failed') continue;
    const { failing } = v.parse(commandDetail, JSON.parse(String(row.detail)));
    lines.push(`\`${command}\` failed${failing.length > 0 ? `: ${failing.join('; ')}` : ''}`);
  }
  return lines.slice(0, MOST_LINES);
}

export function openTasks(db: Database, sessions: readonly SessionId[]): readonly string[] {
  const status = new Map<string, { readonly subject: string; readonly status: string }>();
  const found = [...rows(db, sessions, "kind = 'task'", 'session_id, subject, outcome, detail')].reverse();
  for (const row of found) {
    const { id } = v.parse(taskDetail, JSON.parse(String(row.detail)));
    const key = id === null ? String(row.subject) : `${String(row.session_id)} ${id}`;
    const subject = String(row.subject) || (status.get(key)?.subject ?? '');
    status.set(key, { subject, status: String(row.outcome) });
  }
  return [...status.values()]
    .filter((task) => task.subject !== '' && !/^(?:completed|cancelled|deleted)$/.test(task.status))
    .map((task) => `${task.subject} (${task.status})`)
    .slice(-MOST_LINES);
}

/** Each once, the newest first. */
export function changedFiles(db: Database, sessions: readonly SessionId[], most: number): readonly string[] {
  const changed = rows(
    db,
    sessions,
    "kind = 'file' AND action <> 'read' AND outcome IS NOT 'failed'",
    'subject',
  );
  return [...new Set([...changed].map((row) => String(row.subject)))].slice(0, most);
}

export function denials(db: Database, sessions: readonly SessionId[]): readonly string[] {
  const found = rows(db, sessions, "kind = 'permission' AND action IN ('deny', 'denied')", 'subject, body');
  const lines = [...found].map(
    (row) => `denied: ${String(row.subject)}${row.body ? ` (${String(row.body)})` : ''}`,
  );
  return [...new Set(lines)].slice(0, MOST_LINES);
}

/** Newest first, over all of these sessions. */
function rows(db: Database, sessions: readonly SessionId[], terms: string, columns: string): readonly Row[] {
  const ids = sessions.map(({ sessionId, source }) => [sessionId, source]);
  return db
    .prepare(
      `SELECT ${columns} FROM observations WHERE row IN (
         SELECT o.row FROM json_each(?) AS s CROSS JOIN observations o
         ON o.session_id = s.value ->> 0 AND o.source = s.value ->> 1 WHERE ${terms})
       ORDER BY row DESC LIMIT ${MOST_ROWS}`,
    )
    .all(JSON.stringify(ids));
}
