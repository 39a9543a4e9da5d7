import * as v from 'valibot';
import type { Opinion } from '../engine/record.ts';
import { EVENT_TYPES, type EventType } from '../model/events.ts';
import type { Database, Row } from './driver.ts';
import { readOpinions } from './stored-event.ts';

/** A call as it was kept, in as much as is needed to judge it again. */
export interface RecordedCall {
  readonly id: string;
  readonly source: string;
  readonly type: EventType;
  readonly nativeEvent: string;
  readonly sessionId: string;
  readonly sequence: number;
  readonly promptNumber: number;
  readonly toolNumber: number;
  /** In ms since the epoch. */
  readonly timestamp: number;
  readonly cwd: string | null;
  readonly projectId: string | null;
  readonly agentId: string | null;
  /** Null until the call is over. */
  readonly outcome: string | null;
  readonly opinions: readonly Opinion[];
  /** JSON of the payload, secrets taken out; null when it could not be kept. */
  readonly native: string | null;
}

const columns = v.object({
  row: v.number(),
  id: v.string(),
  source: v.string(),
  type: v.picklist(EVENT_TYPES),
  native_event: v.string(),
  session_id: v.string(),
  sequence: v.number(),
  prompt_number: v.number(),
  tool_number: v.number(),
  timestamp: v.number(),
  cwd: v.nullable(v.string()),
  project_id: v.nullable(v.string()),
  agent_id: v.nullable(v.string()),
  outcome: v.nullable(v.string()),
  opinions: v.string(),
  native: v.nullable(v.string()),
});

/** Calls of which only some opinions are worth a look. */
const FILTERS = { all: 'true', observed: `opinions LIKE '%"observing":true%'` } as const;

/** Enough to make a query worth its while, few enough to be held at once whatever the payloads are. */
const BATCH = 500;

/** The calls since a time, in the order in which they were committed, a batch of rows in memory at a time. */
export function* recordedCalls(
  db: Database,
  since: number,
  which: keyof typeof FILTERS = 'all',
): Generator<RecordedCall> {
  const select = db.prepare(`SELECT ${Object.keys(columns.entries).join(', ')} FROM events
    WHERE row > ? AND timestamp >= ? AND ${FILTERS[which]} ORDER BY row LIMIT ?`);
  for (let after = 0; ; ) {
    const rows = select.all(after, since, BATCH);
    for (const row of rows) yield toCall(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = Number(last.row);
  }
}

export function countCalls(db: Database, since: number): number {
  return Number(db.prepare('SELECT count(*) AS n FROM events WHERE timestamp >= ?').get(since)?.n ?? 0);
}

function toCall(raw: Row): RecordedCall {
  const row = v.parse(columns, raw);
  return {
    id: row.id,
    source: row.source,
    type: row.type,
    nativeEvent: row.native_event,
    sessionId: row.session_id,
    sequence: row.sequence,
    promptNumber: row.prompt_number,
    toolNumber: row.tool_number,
    timestamp: row.timestamp,
    cwd: row.cwd,
    projectId: row.project_id,
    agentId: row.agent_id,
    outcome: row.outcome,
    opinions: readOpinions(row.opinions),
    native: row.native,
  };
}
