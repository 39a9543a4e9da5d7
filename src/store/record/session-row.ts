import type { HookEvent } from '../../model/events.ts';
import type { Database, SqlValue } from '../database/driver.ts';
import { plain, validTime } from '../read/event-columns.ts';
import type { StoredSession } from '../read/queries.ts';
import type { Redact } from './event-json.ts';
import { plainId, redactedText } from './event-row.ts';

// A later session_start resumes the session, so it has no end any more.
const UPSERT_SESSION = `
  INSERT INTO sessions (source, session_id, sequence, prompt_number, tool_number, started_at, last_at, ended_at, cwd, project_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (source, session_id) DO UPDATE SET
    sequence = max(sequence, excluded.sequence),
    prompt_number = max(prompt_number, excluded.prompt_number),
    tool_number = max(tool_number, excluded.tool_number),
    started_at = min(started_at, excluded.started_at),
    last_at = max(last_at, excluded.last_at),
    ended_at = CASE WHEN ? THEN excluded.ended_at ELSE coalesce(excluded.ended_at, ended_at) END,
    cwd = coalesce(excluded.cwd, cwd),
    project_id = coalesce(excluded.project_id, project_id)`;

/** What one or more events say about their session. */
interface SessionRow extends StoredSession {
  readonly started: boolean;
}

/** Writes each session of a batch once, however many of its events are in the batch. */
export interface SessionRows {
  add(event: HookEvent): void;
  write(): void;
}

export function sessionRowsOf(db: Database, redact: Redact): () => SessionRows {
  const upsert = db.prepare(UPSERT_SESSION);
  return () => {
    const rows = new Map<string, SessionRow>();
    return {
      add(event) {
        const row = rowOf(event, redact);
        const key = `${row.source}\0${row.sessionId}`;
        const before = rows.get(key);
        rows.set(key, before === undefined ? row : later(before, row));
      },
      write() {
        for (const row of rows.values()) upsert.run(...valuesOf(row));
      },
    };
  };
}

/** Equivalent to writing one after the other. */
function later(before: SessionRow, after: SessionRow): SessionRow {
  return {
    ...after,
    sequence: Math.max(before.sequence, after.sequence),
    promptNumber: Math.max(before.promptNumber, after.promptNumber),
    toolNumber: Math.max(before.toolNumber, after.toolNumber),
    startedAt: Math.min(before.startedAt, after.startedAt),
    lastAt: Math.max(before.lastAt, after.lastAt),
    endedAt: after.started ? after.endedAt : (after.endedAt ?? before.endedAt),
    cwd: after.cwd ?? before.cwd,
    projectId: after.projectId ?? before.projectId,
    started: before.started || after.started,
  };
}

function rowOf(event: HookEvent, redact: Redact): SessionRow {
  const at = validTime(event.timestamp);
  return {
    source: plain(event.source),
    sessionId: plainId(event.sessionId),
    sequence: event.sequence,
    promptNumber: event.promptNumber,
    toolNumber: event.toolNumber,
    startedAt: at,
    lastAt: at,
    endedAt: event.type === 'session_end' ? at : null,
    cwd: redactedText(event.cwd, redact),
    projectId: redactedText(event.projectId, redact),
    started: event.type === 'session_start',
  };
}

function valuesOf(row: SessionRow): readonly SqlValue[] {
  return [
    row.source,
    row.sessionId,
    row.sequence,
    row.promptNumber,
    row.toolNumber,
    row.startedAt,
    row.lastAt,
    row.endedAt,
    row.cwd,
    row.projectId,
    row.started ? 1 : 0,
  ];
}
