import { EVENT_TYPES, type EventType } from '../../model/events.ts';
import { OWN_SOURCE } from '../../model/people/access.ts';
import type { Database, Row, SqlValue } from '../../store/database/driver.ts';
import { type EventFilter, eventConditions } from '../../store/read/queries.ts';
import { readOpinions, type StoredEvent } from '../../store/read/stored-event.ts';

/** A stored call, with enough data to evaluate it again. */
export interface RecordedCall
  extends Pick<
    StoredEvent,
    | 'id'
    | 'source'
    | 'type'
    | 'nativeEvent'
    | 'sessionId'
    | 'sequence'
    | 'promptNumber'
    | 'toolNumber'
    | 'timestamp'
    | 'cwd'
    | 'projectId'
    | 'agentId'
    | 'opinions'
  > {
  /** The directory whose rules applied, even if the project has another name. */
  readonly projectFolder: string | null;
  /** Null until the call has ended. */
  readonly outcome: string | null;
  /** JSON of the payload without secrets; null if it couldn't be stored. */
  readonly native: string | null;
}

const COLUMNS = [
  'row',
  'id',
  'source',
  'type',
  'native_event',
  'session_id',
  'sequence',
  'prompt_number',
  'tool_number',
  'timestamp',
  'cwd',
  'project_id',
  // Only a project with another name has it; searching for the word is cheaper than parsing all JSON.
  `CASE WHEN instr(event, '"projectFolder"') > 0 AND json_valid(event) AND json_type(event, '$.projectFolder') IS NOT NULL
    THEN json_extract(event, '$.projectFolder') ELSE project_id END AS project_folder`,
  'agent_id',
  'outcome',
  'opinions',
  'native',
] as const;

/** Limits calls to those with relevant opinions. */
const FILTERS = { all: 'true', observed: `opinions LIKE '%"observing":true%'` } as const;

/** Large enough for efficient queries, small enough for memory with any payload. */
const BATCH = 500;

/** Selects calls; all of them if empty. */
type CallsWhere = Pick<EventFilter, 'source' | 'project' | 'session' | 'since' | 'until'>;

/**
 * The selected calls in commit order, one batch of rows in memory at a time. Excludes Hookline's own events, which
 * aren't calls: no rule evaluated them, and no agent can parse them.
 */
export function* recordedCalls(
  db: Database,
  where: CallsWhere = {},
  which: keyof typeof FILTERS = 'all',
): Generator<RecordedCall> {
  const { terms, parameters } = eventConditions(where);
  const select = db.prepare(`SELECT ${COLUMNS.join(', ')} FROM events
    WHERE ${['row > ?', 'source <> ?', FILTERS[which], ...terms].join(' AND ')} ORDER BY row LIMIT ?`);
  for (let after = 0; ; ) {
    const rows = select.all(after, OWN_SOURCE, ...parameters, BATCH);
    for (const row of rows) yield toCall(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = Number(last.row);
  }
}

const TYPES: ReadonlyMap<unknown, EventType> = new Map(EVENT_TYPES.map((type) => [type, type]));

/** The table has strict types, and a schema for so many rows would take most of the time. */
function toCall(row: Row): RecordedCall {
  return {
    id: String(row.id),
    source: String(row.source),
    type: TYPES.get(row.type) ?? 'unknown',
    nativeEvent: String(row.native_event),
    sessionId: String(row.session_id),
    sequence: Number(row.sequence),
    promptNumber: Number(row.prompt_number),
    toolNumber: Number(row.tool_number),
    timestamp: Number(row.timestamp),
    cwd: textOrNull(row.cwd),
    projectId: textOrNull(row.project_id),
    projectFolder: textOrNull(row.project_folder),
    agentId: textOrNull(row.agent_id),
    outcome: textOrNull(row.outcome),
    opinions: readOpinions(String(row.opinions)),
    native: textOrNull(row.native),
  };
}

function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
