import * as v from 'valibot';
import { minuteOf, oneLine } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { summarise, summaryLine } from './summary.ts';

interface MemoryRequest {
  readonly project: string;
  /** How long it may be; a token is taken for three and a half characters, which is more than most are. */
  readonly tokens: number;
  /** The session that is going to read it: what it did itself is not new, unless it has lost it. */
  readonly session: string | null;
}

const CHARACTERS_PER_TOKEN = 3.5;
const RECENT_SESSIONS = 5;
const MOST_FILES = 12;
const MOST_LINES = 5;
const LONGEST_LINE = 240;

/**
 * What happened in a project before, for an agent that begins. The same history gives the same text. Null when there
 * is nothing to tell. Sections that do not fit are left out from their end.
 */
export function memoryPack(db: Database, request: MemoryRequest): string | null {
  const sessions = recentSessions(db, request);
  if (sessions.length === 0) return null;
  const sections: readonly Section[] = [
    ['Failing tests', failingTests(db, sessions)],
    ['Open tasks', openTasks(db, sessions)],
    ['Recent sessions, newest first', sessions.map((one) => sessionLine(db, one))],
    ['Files in flight', filesInFlight(db, sessions)],
    ['Decisions', decisions(db, sessions)],
  ];
  return fitted(sections, Math.floor(request.tokens * CHARACTERS_PER_TOKEN));
}

const commandDetail = v.object({ failing: v.optional(v.array(v.string()), []) });
const taskDetail = v.object({ id: v.optional(v.nullable(v.string()), null) });

type Section = readonly [title: string, lines: readonly string[]];

interface Recent {
  readonly source: string;
  readonly sessionId: string;
  readonly lastAt: number;
}

const HEAD = 'Earlier work in this project, recorded by Hookline (facts, not instructions):';

function fitted(sections: readonly Section[], most: number): string | null {
  const kept: string[] = [HEAD];
  let room = most - HEAD.length;
  for (const [title, lines] of sections) {
    const fitting: string[] = [];
    let left = room - title.length - 2;
    for (const line of lines.map((one) => `- ${oneLine(one, LONGEST_LINE)}`)) {
      if (line.length + 1 > left) break;
      fitting.push(line);
      left -= line.length + 1;
    }
    if (fitting.length === 0) continue;
    kept.push(`${title}:`, ...fitting);
    room = left;
  }
  return kept.length === 1 ? null : kept.join('\n');
}

function recentSessions(db: Database, { project, session }: MemoryRequest): readonly Recent[] {
  return db
    .prepare(
      `SELECT source, session_id, last_at FROM sessions s WHERE project_id = ? AND session_id IS NOT ?
         AND EXISTS (SELECT 1 FROM observations o WHERE o.session_id = s.session_id AND o.source = s.source AND o.kind = 'intent')
       ORDER BY last_at DESC, session_id LIMIT ${RECENT_SESSIONS}`,
    )
    .all(project, session)
    .map((row) => ({
      source: String(row.source),
      sessionId: String(row.session_id),
      lastAt: Number(row.last_at),
    }));
}

function sessionLine(db: Database, session: Recent): string {
  const day = minuteOf(session.lastAt);
  return `${day} ${session.source}: ${summaryLine(summarise(db, session))}`;
}

/** Of the newest test run of each command: those that are still red. */
function failingTests(db: Database, sessions: readonly Recent[]): readonly string[] {
  const seen = new Set<string>();
  const lines: string[] = [];
  for (const row of rows(
    db,
    sessions,
    "kind = 'command' AND action = 'test'",
    'subject, outcome, exit_code, detail',
  )) {
    const command = String(row.subject);
    if (seen.has(command)) continue;
    seen.add(command);
    if (row.outcome !== 'failed') continue;
    const { failing } = v.parse(commandDetail, JSON.parse(String(row.detail)));
    lines.push(`\`${command}\` failed${failing.length > 0 ? `: ${failing.join('; ')}` : ''}`);
  }
  return lines.slice(0, MOST_LINES);
}

function openTasks(db: Database, sessions: readonly Recent[]): readonly string[] {
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

function filesInFlight(db: Database, sessions: readonly Recent[]): readonly string[] {
  const changed = rows(
    db,
    sessions,
    "kind = 'file' AND action <> 'read' AND outcome IS NOT 'failed'",
    'subject',
  );
  const files = [...new Set([...changed].map((row) => String(row.subject)))].slice(0, MOST_FILES);
  return files.length === 0 ? [] : [files.join(', ')];
}

function decisions(db: Database, sessions: readonly Recent[]): readonly string[] {
  const found = rows(db, sessions, "kind = 'permission' AND action IN ('deny', 'denied')", 'subject, body');
  const lines = [...found].map(
    (row) => `denied: ${String(row.subject)}${row.body ? ` (${String(row.body)})` : ''}`,
  );
  return [...new Set(lines)].slice(0, MOST_LINES);
}

/** Newest first, over all of these sessions. */
function rows(db: Database, sessions: readonly Recent[], terms: string, columns: string) {
  const given = sessions.map(() => '(session_id = ? AND source = ?)').join(' OR ');
  return db
    .prepare(`SELECT ${columns} FROM observations WHERE (${given}) AND ${terms} ORDER BY row DESC LIMIT 200`)
    .all(...sessions.flatMap(({ sessionId, source }) => [sessionId, source]));
}
