import * as v from 'valibot';
import type { Agent } from '../../agents/agent.ts';
import { deliveredDecision } from '../../model/delivered.ts';
import { type EventType, type HookEvent, sessionKey } from '../../model/events.ts';
import { decisionSchema } from '../../model/response-schema.ts';
import type { Database, Row } from '../../store/database/driver.ts';
import { canonicalEvent } from '../../store/read/canonical-event.ts';
import { plain } from '../../store/read/event-columns.ts';
import { readDegraded } from '../../store/read/stored-event.ts';
import { type Decided, OBSERVED_TYPES, observationsOf } from './extract.ts';
import type { Observation } from './observation.ts';
import { columnsOf } from './observation-row.ts';
import type { StoredObservation } from './stored-observation.ts';

/** Makes observations out of stored events, after the answer: what it has not come to is made later. */
interface Observer {
  /** The next events, so many at most. Gives the turns that have ended in them. */
  observe(most: number): Observed;
}

interface Observed {
  /** How many events were looked at; fewer than asked for means that there are no more. */
  readonly events: number;
  /** Sessions whose transcripts are worth reading now. */
  readonly ended: readonly EndedTurn[];
}

export interface EndedTurn {
  readonly source: string;
  readonly sessionId: string;
  readonly transcriptPath: string;
}

const ENDINGS: ReadonlySet<string> = new Set([
  'stop',
  'after_agent',
  'stop_failure',
  'interrupt',
  'session_end',
]);

const SELECT = `
  SELECT row, event, decision, rules, opinions, response, degraded FROM events
  WHERE row > ? AND row <= ?
    AND (type IN (${OBSERVED_TYPES.map((type) => `'${type}'`).join(', ')}) OR decision IN ('deny', 'ask'))
  ORDER BY row`;

const INSERT = `
  INSERT INTO observations (event_row, source, session_id, timestamp, prompt_number, tool_number, agent_id,
    tool_use_id, kind, action, outcome, exit_code, subject, body, detail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INDEX = 'INSERT INTO observation_text (rowid, subject, body, tags) VALUES (?, ?, ?, ?)';

export function createObserver(db: Database, agents: ReadonlyMap<string, Agent>): Observer {
  const selectMark = db.prepare('SELECT event_row FROM observed');
  const selectEnd = db.prepare(
    'SELECT max(row) AS last, count(*) AS events FROM (SELECT row FROM events WHERE row > ? ORDER BY row LIMIT ?)',
  );
  const selectEvents = db.prepare(SELECT);
  const saveMark = db.prepare('UPDATE observed SET event_row = ?');
  const add = observationWriter(db);

  return {
    observe: (most) => {
      const mark = Number(selectMark.get()?.event_row ?? 0);
      const end = selectEnd.get(mark, most);
      const events = Number(end?.events ?? 0);
      if (events === 0) return { events, ended: [] };
      const last = Number(end?.last);
      const ended = new Map<string, EndedTurn>();
      db.transaction(() => {
        for (const row of selectEvents.all(mark, last)) {
          const event = eventIn(row);
          if (event === null) continue;
          for (const observation of readableObservations(event, row, agents))
            add(Number(row.row), event, observation);
          if (ENDINGS.has(event.type) && event.transcriptPath !== null) {
            const { source, sessionId, transcriptPath } = event;
            ended.set(sessionKey(event), { source, sessionId, transcriptPath });
          }
        }
        saveMark.run(last);
      });
      return { events, ended: [...ended.values()] };
    },
  };
}

/** Writes observations of an event, searchable. To be called in a transaction. */
export function observationWriter(
  db: Database,
): (eventRow: number, event: Placed, observation: Observation) => void {
  const insert = db.prepare(INSERT);
  const index = db.prepare(INDEX);
  return (eventRow, event, observation) => {
    const { action, outcome, exitCode, subject, body } = columnsOf(observation);
    const { lastInsertRowid } = insert.run(
      eventRow,
      event.source,
      event.sessionId,
      event.timestamp,
      event.promptNumber,
      event.toolNumber,
      event.agentId,
      event.toolUseId ?? ('tool' in event ? (event.tool?.useId ?? null) : null),
      observation.kind,
      plain(action),
      outcome,
      exitCode,
      plain(subject),
      plain(body),
      plain(JSON.stringify(observation)),
    );
    index.run(lastInsertRowid, plain(subject), plain(body), `agent${event.source} kind${observation.kind}`);
  };
}

/** Where an observation belongs. */
interface Placed
  extends Pick<
    StoredObservation,
    'source' | 'sessionId' | 'timestamp' | 'promptNumber' | 'toolNumber' | 'agentId'
  > {
  readonly toolUseId?: string | null;
  readonly tool?: { readonly useId: string | null };
}

/** An event that an extractor cannot read gives no observation, and must not stop the others. */
function readableObservations(
  event: HookEvent,
  row: Row,
  agents: ReadonlyMap<string, Agent>,
): readonly Observation[] {
  try {
    return observationsOf(event, verdictOf(row, event.type), agents.get(event.source)?.history);
  } catch {
    return [];
  }
}

const opinions = v.array(
  v.object({
    by: v.string(),
    observing: v.optional(v.boolean()),
    response: v.object({ decision: v.string() }),
  }),
);
const reasoned = v.object({ reason: v.optional(v.string()), halt: v.optional(v.string()) });

/** What was delivered to the agent, and why. */
function verdictOf(row: Row, type: EventType): Decided {
  const decision = v.parse(decisionSchema, row.decision);
  if (decision === 'none') return { decision, by: [], reason: null };
  const given = v.safeParse(opinions, JSON.parse(String(row.opinions)));
  const by = given.success
    ? given.output.filter((one) => !one.observing && one.response.decision === decision).map((one) => one.by)
    : [];
  const read = v.safeParse(reasoned, JSON.parse(String(row.response)));
  const { reason = null, halt = undefined } = read.success ? read.output : {};
  const delivered = deliveredDecision(
    type,
    { decision, ...(halt === undefined ? {} : { halt }) },
    readDegraded(String(row.degraded)),
  );
  // What was not delivered was still decided.
  return { decision: delivered === 'none' ? decision : delivered, by, reason };
}

function eventIn(row: Row): HookEvent | null {
  try {
    return canonicalEvent(JSON.parse(String(row.event)));
  } catch {
    return null;
  }
}
