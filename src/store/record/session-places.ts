import { type HookEvent, sessionKey } from '../../model/events.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import type { Database, Row } from '../database/driver.ts';
import { plain } from '../read/event-columns.ts';
import {
  type AnnouncedCall,
  digest,
  NEW_SESSION,
  nextPlace,
  REMEMBERED_CALLS,
  type SessionCounters,
} from './call-place.ts';
import { plainId } from './event-row.ts';

/** Assigns places to events, from memory for active sessions. */
export interface SessionPlaces {
  place(event: HookEvent): HookEvent;
  /** Assigns another place, after those in the store, to an event whose place is taken. */
  again(event: HookEvent): HookEvent;
  /** The event won't be stored: its place is free again if no later one was assigned. */
  giveBack(event: HookEvent): void;
  /** Why the stop was denied: an agent may send that back as the next prompt. */
  refusedEnd(event: HookEvent, reason: string): void;
}

interface LiveSession {
  counters: SessionCounters;
  /** Before the newest place was assigned. */
  before: SessionCounters;
  newestId: string;
  /** Of the last turn whose stop was denied, until the next prompt. */
  refusal: string | null;
  /** The agent continues only because its stop was denied. */
  continued: boolean;
}

const REMEMBERED_SESSIONS = 500;
/** Started, asked about, answered, ended. */
const MOST_EVENTS_A_CALL = 4;

/** Only one event in many sessions queries the store, so a place costs almost nothing. */
export function createSessionPlaces(db: Database): SessionPlaces {
  const load = countersReader(db);
  const live = new BoundedMap<string, LiveSession>(REMEMBERED_SESSIONS);

  const sessionOf = (event: HookEvent): LiveSession => {
    const source = plain(event.source);
    const sessionId = plainId(event.sessionId);
    const key = sessionKey({ source, sessionId });
    let session = live.get(key);
    if (session === undefined) {
      const counters = load(source, sessionId);
      session = { counters, before: counters, newestId: '', refusal: null, continued: false };
    }
    live.set(key, session);
    return session;
  };

  return {
    place: (event) => {
      const session = sessionOf(event);
      const known = continuation(event, session);
      const { counters, toolNumber } = nextPlace(session.counters, known, session.continued);
      session.before = session.counters;
      session.counters = counters;
      session.newestId = event.id;
      return { ...known, sequence: counters.sequence, promptNumber: counters.promptNumber, toolNumber };
    },
    again: (event) => {
      const session = sessionOf(event);
      session.counters = afterStored(load(plain(event.source), plainId(event.sessionId)), session.counters);
      session.newestId = '';
      return { ...event, sequence: session.counters.sequence };
    },
    giveBack: (event) => {
      const session = sessionOf(event);
      if (session.newestId !== event.id || session.counters.sequence !== event.sequence) return;
      session.counters = session.before;
      session.newestId = '';
    },
    refusedEnd: (event, reason) => {
      sessionOf(event).refusal = reason;
    },
  };
}

/** Reads the counters of a session from the store. */
function countersReader(db: Database): (source: string, sessionId: string) => SessionCounters {
  const selectSession = db.prepare(
    'SELECT sequence, prompt_number, tool_number FROM sessions WHERE source = ? AND session_id = ?',
  );
  // A call has the ID, the subject and the agent of its first event, as when its place was assigned.
  const selectCalls = db.prepare(`
    SELECT tool_number, tool_use_id, tool_name, agent_id, min(sequence) AS first,
      coalesce(json_extract(event, '$.tool.command'), json_extract(event, '$.tool.files[0].path'), '') AS match_key,
      sum(type IN ('after_tool', 'permission_denied')) > 0 AS ended
    FROM (
      SELECT * FROM events WHERE session_id = ? AND source = ? AND tool_name IS NOT NULL
      ORDER BY sequence DESC LIMIT ${REMEMBERED_CALLS * MOST_EVENTS_A_CALL}
    ) GROUP BY tool_number ORDER BY tool_number DESC LIMIT ${REMEMBERED_CALLS}`);
  return (source, sessionId) => {
    const row = selectSession.get(source, sessionId);
    if (row === undefined) return NEW_SESSION;
    return {
      sequence: Number(row.sequence),
      promptNumber: Number(row.prompt_number),
      toolNumber: Number(row.tool_number),
      calls: selectCalls.all(sessionId, source).map(toCall),
    };
  };
}

/** The next place after everything counted in the store and in memory. */
function afterStored(stored: SessionCounters, ours: SessionCounters): SessionCounters {
  return {
    sequence: Math.max(stored.sequence, ours.sequence) + 1,
    promptNumber: Math.max(stored.promptNumber, ours.promptNumber),
    toolNumber: Math.max(stored.toolNumber, ours.toolNumber),
    calls: ours.calls,
  };
}

/**
 * Some agents announce the reason for a denied stop as a prompt. After the next tool call they forget that they
 * continue because of it. Without this, every denial would begin a new turn, and the limit would never be reached.
 */
function continuation(event: HookEvent, session: LiveSession): HookEvent {
  if (event.type === 'before_agent' && event.agentId === null) {
    session.continued = session.refusal !== null && event.prompt.startsWith(session.refusal);
    session.refusal = null;
    return session.continued ? { ...event, metadata: { ...event.metadata, continuation: true } } : event;
  }
  return session.continued && (event.type === 'after_agent' || event.type === 'stop')
    ? { ...event, stopHookActive: true }
    : event;
}

function toCall(row: Row): AnnouncedCall {
  return {
    toolNumber: Number(row.tool_number),
    useId: row.tool_use_id === null ? null : String(row.tool_use_id),
    name: String(row.tool_name),
    agentId: row.agent_id === null ? null : String(row.agent_id),
    matchKey: digest(String(row.match_key)),
    ended: row.ended === 1,
  };
}
