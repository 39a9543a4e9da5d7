import * as v from 'valibot';
import { HooklineError } from '../model/errors.ts';
import type { EventType } from '../model/events.ts';
import { conditions, whereClause } from './conditions.ts';
import type { Database, SqlValue } from './driver.ts';
import { type StoredEvent, toStoredEvent } from './stored-event.ts';

export interface EventFilter {
  readonly session?: string;
  readonly source?: string;
  readonly type?: EventType;
  /** Only what was committed after this row: for reading on. */
  readonly afterRow?: number;
}

interface EventPage extends EventFilter {
  /** All of them without it, so give one unless the filter is narrow. */
  readonly limit?: number;
  /** The last ones instead of the first; oldest first all the same. */
  readonly newest?: boolean;
}

export interface StoredSession {
  readonly source: string;
  readonly sessionId: string;
  /** How many events it has had. */
  readonly sequence: number;
  readonly promptNumber: number;
  readonly toolNumber: number;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly endedAt: number | null;
  readonly cwd: string | null;
  readonly projectId: string | null;
}

const ALL = -1;

/** Oldest first. */
export function listEvents(db: Database, page: EventPage = {}): readonly StoredEvent[] {
  const { where, parameters } = filtered(page);
  // The rows are chosen from the indexes alone; only the chosen ones are read and sorted.
  const sql = `SELECT * FROM events WHERE row IN (
    SELECT row FROM events ${where} ORDER BY row ${page.newest ? 'DESC' : 'ASC'} LIMIT ?
  ) ORDER BY row`;
  return db
    .prepare(sql)
    .all(...parameters, page.limit ?? ALL)
    .map(toStoredEvent);
}

export function countEvents(db: Database, filter: EventFilter = {}): number {
  const { where, parameters } = filtered(filter);
  const row = db.prepare(`SELECT count(*) AS events FROM events ${where}`).get(...parameters);
  return Number(row?.events ?? 0);
}

/** By its id, or by the beginning of it when no other has the same. */
export function findEvent(db: Database, idOrPrefix: string): StoredEvent | null {
  const exact = db.prepare('SELECT * FROM events WHERE id = ?').get(idOrPrefix);
  if (exact !== undefined) return toStoredEvent(exact);
  if (idOrPrefix === '') return null;
  const [first, second] = db
    .prepare('SELECT * FROM events WHERE id >= ? AND id < ? ORDER BY id LIMIT 2')
    .all(idOrPrefix, `${idOrPrefix}\u{10FFFF}`);
  if (second !== undefined) {
    throw new HooklineError('USAGE', `More than one event has an id that begins with "${idOrPrefix}".`, {
      hint: 'Give more of the id; `hookline events` shows it.',
    });
  }
  return first === undefined ? null : toStoredEvent(first);
}

const sessionRow = v.object({
  source: v.string(),
  session_id: v.string(),
  sequence: v.number(),
  prompt_number: v.number(),
  tool_number: v.number(),
  started_at: v.number(),
  last_at: v.number(),
  ended_at: v.nullable(v.number()),
  cwd: v.nullable(v.string()),
  project_id: v.nullable(v.string()),
});

/** The most recently active first. */
export function listSessions(
  db: Database,
  filter: { readonly source?: string; readonly session?: string; readonly limit?: number } = {},
): readonly StoredSession[] {
  const { where, parameters } = filtered(filter);
  return db
    .prepare(`SELECT * FROM sessions ${where} ORDER BY last_at DESC, session_id LIMIT ?`)
    .all(...parameters, filter.limit ?? ALL)
    .map((raw) => {
      const row = v.parse(sessionRow, raw);
      return {
        source: row.source,
        sessionId: row.session_id,
        sequence: row.sequence,
        promptNumber: row.prompt_number,
        toolNumber: row.tool_number,
        startedAt: row.started_at,
        lastAt: row.last_at,
        endedAt: row.ended_at,
        cwd: row.cwd,
        projectId: row.project_id,
      };
    });
}

function filtered(filter: EventFilter): { where: string; parameters: readonly SqlValue[] } {
  const given = conditions(
    ['session_id = ?', filter.session],
    ['source = ?', filter.source],
    // A session has few events and a type many: the plus keeps SQLite from choosing the index of the type.
    [filter.session === undefined ? 'type = ?' : '+type = ?', filter.type],
    ['row > ?', filter.afterRow],
  );
  return { where: whereClause(given), parameters: given.parameters };
}
