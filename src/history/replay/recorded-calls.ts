import { EVENT_TYPES, type EventType } from '../../model/events.ts';
import { OWN_SOURCE } from '../../model/people/access.ts';
import type { Database, Row, SqlValue } from '../../store/database/driver.ts';
import { type EventFilter, eventConditions } from '../../store/read/queries.ts';
import { readOpinions, type StoredEvent } from '../../store/read/stored-event.ts';

/** A call as it was kept, in as much as is needed to judge it again. */
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
  /** The folder whose rules applied, also where the project has a name from elsewhere. */
  readonly projectFolder: string | null;
  /** Null until the call has ended. */
  readonly outcome: string | null;
  /** JSON of the payload, secrets taken out; null when it could not be kept. */
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
  // Only a project with a name from elsewhere has it; looking for the word is cheaper than reading all of the JSON.
  `CASE WHEN instr(event, '"projectFolder"') > 0 AND json_valid(event) AND json_type(event, '$.projectFolder') IS NOT NULL
    THEN json_extract(event, '$.projectFolder') ELSE project_id END AS project_folder`,
  'agent_id',
  'outcome',
  'opinions',
  'native',
] as const;

/** Calls of which only some opinions are worth a look. */
const FILTERS = { all: 'true', observed: `opinions LIKE '%"observing":true%'` } as const;

/** Enough to make a query worth its while, few enough to be held at once whatever the payloads are. */
const BATCH = 500;

/** Which calls are meant; all of them without it. */
type CallsWhere = Pick<EventFilter, 'source' | 'project' | 'session' | 'since' | 'until'>;

/**
 * The calls that are meant, in the order in which they were committed, a batch of rows in memory at a time. What
 * Hookline has recorded of itself is not a call: no rule was asked about it, and no agent can read it back.
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

/** The table is strict about its types, and a schema for each of so many rows would be most of the work. */
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
