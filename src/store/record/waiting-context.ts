import type { HookEvent } from '../../model/events.ts';
import type { WaitingContext } from '../../model/recording.ts';
import type { Database } from '../database/driver.ts';
import { plain } from '../read/event-columns.ts';
import type { Redact } from './event-json.ts';
import { plainId } from './event-row.ts';

/** Context waiting for an event that can carry it. */
interface WaitingContexts {
  /** Excludes context that an answer being stored already carries. */
  list(source: string, sessionId: string): WaitingContext[];
  /** An answer being stored carries these: no other answer may, unless storing fails. */
  whileClaimed<T>(ids: readonly number[], storing: () => Promise<T>): Promise<T>;
  add(event: HookEvent, text: string): void;
  remove(id: number): void;
}

export function openWaitingContext(db: Database, redact: Redact): WaitingContexts {
  const select = db.prepare(
    'SELECT id, text FROM waiting_context WHERE source = ? AND session_id = ? ORDER BY id',
  );
  const insert = db.prepare('INSERT INTO waiting_context (source, session_id, text) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM waiting_context WHERE id = ?');
  const keyOf = (source: string, sessionId: string) => JSON.stringify([plain(source), plainId(sessionId)]);
  // Looked up on every call, and hardly any session has some. Only the process with the home's lock adds context, so
  // memory is complete; deletions in the store are noticed on lookup.
  const sessions = new Set(
    db
      .prepare('SELECT DISTINCT source, session_id FROM waiting_context')
      .all()
      .map((row) => keyOf(String(row.source), String(row.session_id))),
  );
  const claimed = new Set<number>();
  return {
    list: (source, sessionId) => {
      if (sessions.size === 0) return [];
      const key = keyOf(source, sessionId);
      if (!sessions.has(key)) return [];
      const rows = select.all(plain(source), plainId(sessionId));
      if (rows.length === 0) sessions.delete(key);
      const waiting = rows.map((row) => ({ id: Number(row.id), text: String(row.text) }));
      return waiting.filter(({ id }) => !claimed.has(id));
    },
    whileClaimed: (ids, storing) => (ids.length === 0 ? storing() : claiming(claimed, ids, storing)),
    add: ({ source, sessionId }, text) => {
      sessions.add(keyOf(source, sessionId));
      insert.run(plain(source), plainId(sessionId), plain(redact(text)));
    },
    remove: (id) => void remove.run(id),
  };
}

async function claiming<T>(
  claimed: Set<number>,
  ids: readonly number[],
  storing: () => Promise<T>,
): Promise<T> {
  for (const id of ids) claimed.add(id);
  try {
    return await storing();
  } finally {
    for (const id of ids) claimed.delete(id);
  }
}
