import type { Transcript, TranscriptCall } from '../../agents/kit/history.ts';
import type { Database, Row } from '../../store/database/driver.ts';
import type { Redact } from '../../store/record/event-json.ts';
import { excerpt, KEPT } from './excerpt.ts';
import type { Observation } from './observation.ts';
import { observationWriter } from './observer.ts';

/**
 * Messages of the agent, which hooks don't see: stored with the calls that followed, and at the end of a turn without
 * a message. Call it in a transaction.
 */
export function linkMessages(
  db: Database,
  source: string,
  sessionId: string,
  { calls, messages, turns }: Pick<Transcript, 'calls' | 'messages' | 'turns'>,
  redact: Redact,
): void {
  const write = openWriter(db, source, sessionId);
  const found = eventsOf(db, source, sessionId, calls);
  for (const { text, calls: made } of messages) {
    const events = made.map((index) => found.get(index)).filter((event) => event !== undefined);
    const [first] = events;
    if (first === undefined) continue;
    const message = excerpt(redact(text), KEPT.message);
    write(first, { kind: 'message', message, calls: events.map((event) => Number(event.tool_number)) });
  }
  const last = turns.at(-1)?.message ?? null;
  const end = last === null ? undefined : silentEnd(db, source, sessionId);
  if (last === null || end === undefined) return;
  const message = excerpt(redact(last), KEPT.message);
  write(end, { kind: 'turn_end', message, continuation: end.action === 'continued' });
}

type Write = (event: Row, observation: Observation) => void;

/** Writes the event's observation of this kind, replacing an existing one. */
function openWriter(db: Database, source: string, sessionId: string): Write {
  const select = db.prepare('SELECT row, detail FROM observations WHERE event_row = ? AND kind = ?');
  const remove = db.prepare('DELETE FROM observations WHERE row = ?');
  const add = observationWriter(db);
  return (event, observation) => {
    const eventRow = Number(event.row);
    const known = select.get(eventRow, observation.kind);
    if (known?.detail === JSON.stringify(observation)) return;
    if (known !== undefined) remove.run(Number(known.row));
    const place = {
      source,
      sessionId,
      timestamp: Number(event.timestamp),
      promptNumber: Number(event.prompt_number),
      toolNumber: Number(event.tool_number),
      agentId: null,
      toolUseId: event.tool_use_id === null ? null : String(event.tool_use_id),
    };
    add(eventRow, place, observation);
  };
}

const PLACE = 'row, timestamp, prompt_number, tool_number, tool_use_id';

/** The first event of each call, by index. Matched by call ID, or by tool and how often it was called. */
function eventsOf(
  db: Database,
  source: string,
  sessionId: string,
  calls: readonly TranscriptCall[],
): ReadonlyMap<number, Row> {
  const rows = db
    .prepare(
      `SELECT ${PLACE}, min(sequence), iif(tool_use_id IS NULL, json_extract(event, '$.tool.nativeName'), NULL) AS name FROM events
       WHERE session_id = ? AND source = ? AND tool_name IS NOT NULL AND agent_id IS NULL GROUP BY tool_number`,
    )
    .all(sessionId, source);
  const byId = new Map(rows.map((row) => [row.tool_use_id, row]));
  const unnamed = rows.filter((row) => row.tool_use_id === null);
  const found = new Map<number, Row>();
  calls.forEach(({ id, nativeName }, index) => {
    const next = unnamed.findIndex(({ name }) => name === nativeName);
    const row = (id === null ? undefined : byId.get(id)) ?? unnamed.splice(next, next < 0 ? 0 : 1)[0];
    if (row !== undefined) found.set(index, row);
  });
  return found;
}

/** The end of the newest turn, if it lacks the agent's last message. */
function silentEnd(db: Database, source: string, sessionId: string): Row | undefined {
  const end = db
    .prepare(
      `SELECT e.row, e.timestamp, e.prompt_number, e.tool_number, e.tool_use_id, o.action,
         json_extract(e.event, '$.lastAssistantMessage') AS said
       FROM observations o JOIN events e ON e.row = o.event_row
       WHERE o.session_id = ? AND o.source = ? AND o.kind = 'turn_end' ORDER BY o.event_row DESC LIMIT 1`,
    )
    .get(sessionId, source);
  const newest = db
    .prepare('SELECT prompt_number FROM sessions WHERE session_id = ? AND source = ?')
    .get(sessionId, source);
  return end?.said === null && end.prompt_number === newest?.prompt_number ? end : undefined;
}
