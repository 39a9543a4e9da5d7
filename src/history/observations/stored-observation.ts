import * as v from 'valibot';
import type { Database, Row } from '../../store/database/driver.ts';
import { conditions, whereClause } from '../../store/read/conditions.ts';
import type { EventFilter } from '../../store/read/queries.ts';
import { OBSERVATION_KINDS, type Observation, type ObservationKind } from './observation.ts';

/** An observation with its place in a session. */
export interface StoredObservation {
  readonly row: number;
  /** Id of the event it was made from. */
  readonly eventId: string;
  readonly source: string;
  readonly sessionId: string;
  readonly timestamp: number;
  readonly promptNumber: number;
  readonly toolNumber: number;
  readonly agentId: string | null;
  readonly subject: string;
  readonly body: string;
  readonly observation: Observation;
}

interface ObservationFilter {
  readonly session?: string;
  readonly source?: string;
  readonly since?: number;
  readonly afterRow?: number;
  readonly limit?: number;
  /** The last ones instead of the first; oldest first all the same. */
  readonly newest?: boolean;
}

export const OBSERVATION_COLUMNS = `o.row, e.id AS event_id, o.source, o.session_id, o.timestamp, o.prompt_number,
  o.tool_number, o.agent_id, o.kind, o.subject, o.body, o.detail`;
const OBSERVATION_TABLES = 'observations o JOIN events e ON e.row = o.event_row';

const columns = v.object({
  row: v.number(),
  event_id: v.string(),
  source: v.string(),
  session_id: v.string(),
  timestamp: v.number(),
  prompt_number: v.number(),
  tool_number: v.number(),
  agent_id: v.nullable(v.string()),
  kind: v.picklist(OBSERVATION_KINDS),
  subject: v.string(),
  body: v.string(),
  detail: v.string(),
});

export function toStoredObservation(raw: Row): StoredObservation {
  const row = v.parse(columns, raw);
  const observation: unknown = JSON.parse(row.detail);
  if (!isObservation(observation, row.kind)) throw new Error(`observation ${row.row} is invalid`);
  return {
    row: row.row,
    eventId: row.event_id,
    source: row.source,
    sessionId: row.session_id,
    timestamp: row.timestamp,
    promptNumber: row.prompt_number,
    toolNumber: row.tool_number,
    agentId: row.agent_id,
    subject: row.subject,
    body: row.body,
    observation,
  };
}

/** Our own JSON, written by `observe`: its kind tells all. */
function isObservation(value: unknown, kind: ObservationKind): value is Observation {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}

/** Oldest first. */
export function listObservations(db: Database, filter: ObservationFilter): readonly StoredObservation[] {
  const given = conditions(
    ['o.session_id = ?', filter.session],
    ['o.source = ?', filter.source],
    ['o.row > ?', filter.afterRow],
    ['o.row >= ?', filter.since === undefined ? undefined : firstRowSince(db, filter.since)],
    ['o.timestamp >= ?', filter.since],
  );
  const rows = db
    .prepare(
      `SELECT ${OBSERVATION_COLUMNS} FROM ${OBSERVATION_TABLES} ${whereClause(given)}
       ORDER BY o.row ${filter.newest ? 'DESC' : 'ASC'} LIMIT ?`,
    )
    .all(...given.parameters, filter.limit ?? -1)
    .map(toStoredObservation);
  return filter.newest ? rows.reverse() : rows;
}

/** What was done to files of this name: a whole path, or the end of one. Newest first. */
export function fileHistory(
  db: Database,
  path: string,
  limit: number,
  where: Pick<EventFilter, 'source' | 'project' | 'since' | 'until'> = {},
): readonly StoredObservation[] {
  const end = `%/${path.replace(/[\\%_]/g, '\\$&')}`;
  const { terms, parameters } = conditions(
    ['o.source = ?', where.source],
    ['e.project_id = ?', where.project],
    ['o.timestamp >= ?', where.since],
    ['o.timestamp < ?', where.until],
  );
  return db
    .prepare(
      `SELECT ${OBSERVATION_COLUMNS} FROM ${OBSERVATION_TABLES}
       WHERE ${["o.kind = 'file'", "(o.subject = ? OR o.subject LIKE ? ESCAPE '\\')", ...terms].join(' AND ')}
       ORDER BY o.row DESC LIMIT ?`,
    )
    .all(path, end, ...parameters, limit)
    .map(toStoredObservation);
}

/** Calls that were spooled come late, so that rows are in the order of time only by and large. */
const LATE_MS = 24 * 3_600_000;

/** The first row that can be as new as this, found by halving: there is no index of times to keep up. */
export function firstRowSince(db: Database, since: number): number {
  const last = Number(db.prepare('SELECT max(row) AS last FROM observations').get()?.last ?? 0);
  const at = db.prepare('SELECT row, timestamp FROM observations WHERE row >= ? ORDER BY row LIMIT 1');
  let low = 0;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = at.get(middle);
    if (row !== undefined && Number(row.timestamp) < since - LATE_MS) low = middle + 1;
    else high = middle;
  }
  return low;
}
