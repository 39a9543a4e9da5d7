import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import type { EventType } from '../../model/events.ts';
import { OWN_SOURCE } from '../../model/people/access.ts';
import type { Database, SqlValue } from '../database/driver.ts';
import { type Conditions, conditions, whereClause } from './conditions.ts';
import { isShortId, shortIdPattern } from './short-id.ts';
import { type StoredEvent, toStoredEvent } from './stored-event.ts';

export interface EventFilter {
  readonly session?: string;
  readonly source?: string;
  readonly project?: string;
  readonly type?: EventType;
  /** Only what happened from this moment on, and before that one, in ms since the epoch. */
  readonly since?: number;
  readonly until?: number;
  /** Only events of agents: none of Hookline's own notes. */
  readonly ofAgents?: true;
  /** Only events of which something may have been decided, or that went wrong. */
  readonly noteworthy?: true;
  /** Only what was committed after this row: for reading on. */
  readonly afterRow?: number;
  /** Only what was committed before this row: for reading back. */
  readonly beforeRow?: number;
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

/** By its id, by the beginning of it, or by the short one that lists show, when no other has the same. */
export function findEvent(db: Database, idOrPrefix: string): StoredEvent | null {
  const exact = db.prepare('SELECT * FROM events WHERE id = ?').get(idOrPrefix);
  if (exact !== undefined) return toStoredEvent(exact);
  if (idOrPrefix === '') return null;
  const beginning = db
    .prepare('SELECT * FROM events WHERE id >= ? AND id < ? ORDER BY id LIMIT 2')
    .all(idOrPrefix, `${idOrPrefix}\u{10FFFF}`);
  const short = isShortId(idOrPrefix)
    ? db.prepare('SELECT * FROM events WHERE id GLOB ? LIMIT 2').all(shortIdPattern(idOrPrefix))
    : [];
  const [first, second] = beginning.length > 0 ? beginning : short;
  if (second !== undefined) {
    throw new HooklineError('USAGE', `More than one event has an id that begins with "${idOrPrefix}".`, {
      hint: 'Give more of the id; `hookline events --json` shows it whole.',
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

interface SessionFilter {
  readonly source?: string;
  readonly session?: string;
  readonly project?: string;
  /** Only those that were active from this moment on, and began before that one. */
  readonly since?: number;
  readonly until?: number;
  /** Also Hookline's own notes. Named by source or session they are found in any case. */
  readonly own?: true;
  readonly limit?: number;
}

/** Sessions of agents, the most recently active first. */
export function listSessions(db: Database, filter: SessionFilter = {}): readonly StoredSession[] {
  const hasOwn = filter.own ?? (filter.source !== undefined || filter.session !== undefined);
  const given = conditions(
    ['session_id = ?', filter.session],
    ['source = ?', filter.source],
    ['project_id = ?', filter.project],
    ['last_at >= ?', filter.since],
    ['started_at < ?', filter.until],
    ['source <> ?', hasOwn ? undefined : OWN_SOURCE],
  );
  const where = whereClause(given);
  const { parameters } = given;
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

const NOTEWORTHY = `decision <> 'none' OR outcome IS NOT NULL AND outcome IN ('failed', 'denied', 'interrupted')
  OR type IN ('permission_request', 'permission_denied', 'stop_failure') OR response LIKE '%"halt"%'`;

export function eventConditions(filter: EventFilter): Conditions {
  return conditions(
    ['session_id = ?', filter.session],
    ['source = ?', filter.source],
    // A session has few events and a type many: the plus keeps SQLite from choosing the index of the type.
    [filter.session === undefined ? 'type = ?' : '+type = ?', filter.type],
    ['project_id = ?', filter.project],
    ['timestamp >= ?', filter.since],
    ['timestamp < ?', filter.until],
    ['source <> ?', filter.ofAgents && OWN_SOURCE],
    [`(${NOTEWORTHY}) = ?`, filter.noteworthy ? 1 : undefined],
    ['row > ?', filter.afterRow],
    ['row < ?', filter.beforeRow],
  );
}

function filtered(filter: EventFilter): { where: string; parameters: readonly SqlValue[] } {
  const given = eventConditions(filter);
  return { where: whereClause(given), parameters: given.parameters };
}
