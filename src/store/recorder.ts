import type { HookEvent } from '../model/events.ts';
import type { CallRecord, Recorder, WaitingContext } from '../model/recording.ts';
import { learnEnvValues } from '../redact/env-values.ts';
import { type Database, isUniqueViolation, type SqlValue } from './driver.ts';
import type { Redact } from './event-json.ts';
import { eventRow, INSERT_EVENT, plain, redactedText, validTime } from './event-row.ts';
import { createSessionPlaces } from './session-places.ts';

interface RecorderOptions {
  /** Applied to everything that can hold a user's words before it is written. */
  readonly redact: Redact;
}

// A later session_start is a resumed session: it is not over any more.
const UPSERT_SESSION = `
  INSERT INTO sessions (source, session_id, sequence, prompt_number, tool_number, started_at, last_at, ended_at, cwd, project_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (source, session_id) DO UPDATE SET
    sequence = max(sequence, excluded.sequence),
    prompt_number = max(prompt_number, excluded.prompt_number),
    tool_number = max(tool_number, excluded.tool_number),
    started_at = min(started_at, excluded.started_at),
    last_at = max(last_at, excluded.last_at),
    ended_at = CASE WHEN ? THEN NULL ELSE coalesce(excluded.ended_at, ended_at) END,
    cwd = coalesce(excluded.cwd, cwd),
    project_id = coalesce(excluded.project_id, project_id)`;

/** Keeps calls in the store. One per store and process; readers open their own connection. */
export function createRecorder(db: Database, { redact }: RecorderOptions): Recorder {
  const places = createSessionPlaces(db);
  const insertEvent = db.prepare(INSERT_EVENT);
  const upsertSession = db.prepare(UPSERT_SESSION);
  const waiting = openWaitingContext(db, redact);
  const newestType = db.prepare(
    'SELECT type FROM events WHERE session_id = ? AND source = ? ORDER BY sequence DESC LIMIT 1',
  );

  /** The event as it was stored, or null when its id is stored already. */
  const saveEvent = (record: CallRecord, row: readonly SqlValue[]): HookEvent | null => {
    const { event } = record;
    try {
      return insertEvent.run(...row).changes === 0 ? null : event;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    // Its place was given away: by another process, or because the session had left our memory meanwhile.
    const moved = places.again(event);
    return insertEvent.run(...eventRow(record, moved, redact)).changes === 0 ? null : moved;
  };

  /** Some agents end a session twice, with nothing in between. */
  const isOverAlready = ({ type, sessionId, source }: HookEvent) =>
    type === 'session_end' && newestType.get(plain(sessionId), plain(source))?.type === 'session_end';

  return {
    place: places.place,
    waitingContext: waiting.list,
    commit: (record) => {
      learnEnvValues(record.event);
      const row = eventRow(record, record.event, redact);
      const stored = db.transaction(() => {
        const event = isOverAlready(record.event) ? null : saveEvent(record, row);
        if (event === null) return false;
        upsertSession.run(...sessionRow(event, redact));
        if ('stopHookActive' in event && record.response.decision === 'deny' && record.response.reason)
          places.refusedEnd(event, record.response.reason);
        for (const id of record.delivered) waiting.remove(id);
        if (record.deferred !== null) waiting.add(event, record.deferred);
        return true;
      });
      if (!stored) places.giveBack(record.event);
      return stored;
    },
  };
}

function sessionRow(event: HookEvent, redact: Redact): SqlValue[] {
  const at = validTime(event.timestamp);
  return [
    plain(event.source),
    plain(event.sessionId),
    event.sequence,
    event.promptNumber,
    event.toolNumber,
    at,
    at,
    event.type === 'session_end' ? at : null,
    redactedText(event.cwd, redact),
    redactedText(event.projectId, redact),
    event.type === 'session_start' ? 1 : 0,
  ];
}

/** Context that waits for an event that can carry it. */
interface WaitingContexts {
  list(source: string, sessionId: string): WaitingContext[];
  add(event: HookEvent, text: string): void;
  remove(id: number): void;
}

function openWaitingContext(db: Database, redact: Redact): WaitingContexts {
  const select = db.prepare(
    'SELECT id, text FROM waiting_context WHERE source = ? AND session_id = ? ORDER BY id',
  );
  const insert = db.prepare('INSERT INTO waiting_context (source, session_id, text) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM waiting_context WHERE id = ?');
  const keyOf = (source: string, sessionId: string) => JSON.stringify([plain(source), plain(sessionId)]);
  // Asked about on every call, and hardly any session has some. Whoever records holds the lock of the home, so nobody
  // else adds any meanwhile; what is gone from the store is noticed when it is looked for.
  const sessions = new Set(
    db
      .prepare('SELECT DISTINCT source, session_id FROM waiting_context')
      .all()
      .map((row) => keyOf(String(row.source), String(row.session_id))),
  );
  return {
    list: (source, sessionId) => {
      const key = keyOf(source, sessionId);
      if (!sessions.has(key)) return [];
      const rows = select.all(plain(source), plain(sessionId));
      if (rows.length === 0) sessions.delete(key);
      return rows.map((row) => ({ id: Number(row.id), text: String(row.text) }));
    },
    add: ({ source, sessionId }, text) => {
      sessions.add(keyOf(source, sessionId));
      insert.run(plain(source), plain(sessionId), plain(redact(text)));
    },
    remove: (id) => void remove.run(id),
  };
}
