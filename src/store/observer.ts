import * as v from 'valibot';
import type { Agent } from '../agents/agent.ts';
import { EVENT_TYPES, type HookEvent } from '../model/events.ts';
import { observationsOf, type Verdict } from '../observe/extract.ts';
import type { Observation } from '../observe/observation.ts';
import type { Database, Row } from './driver.ts';
import { plain } from './event-row.ts';
import { columnsOf } from './observation-row.ts';

/** Makes observations out of stored events, after the answer: what it has not come to is made later. */
export interface Observer {
  /** The next events, so many at most. Gives the turns that have ended in them. */
  observe(most: number): Observed;
}

export interface Observed {
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

/** Events that tell something whatever was decided on them. */
const TELLING = [
  'session_start',
  'session_end',
  'before_agent',
  'after_tool',
  'permission_request',
  'permission_denied',
  'stop',
  'after_agent',
  'stop_failure',
  'interrupt',
  'subagent_start',
  'subagent_stop',
  'task_created',
  'task_completed',
  'pre_compact',
  'post_compact',
  'notification',
  'unknown',
];

const ENDINGS: ReadonlySet<string> = new Set([
  'stop',
  'after_agent',
  'stop_failure',
  'interrupt',
  'session_end',
]);

const SELECT = `
  SELECT row, event, decision, rules, opinions, response FROM events
  WHERE row > ? AND row <= ?
    AND (type IN (${TELLING.map((type) => `'${type}'`).join(', ')}) OR decision IN ('deny', 'ask'))
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
          for (const observation of told(event, row, agents)) add(Number(row.row), event, observation);
          if (ENDINGS.has(event.type) && event.transcriptPath !== null) {
            const { source, sessionId, transcriptPath } = event;
            ended.set(`${source}\0${sessionId}`, { source, sessionId, transcriptPath });
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
export interface Placed {
  readonly source: string;
  readonly sessionId: string;
  readonly timestamp: number;
  readonly promptNumber: number;
  readonly toolNumber: number;
  readonly agentId: string | null;
  readonly toolUseId?: string | null;
  readonly tool?: { readonly useId: string | null };
}

/** An event that an extractor cannot read tells nothing, and must not stop the others from telling. */
function told(event: HookEvent, row: Row, agents: ReadonlyMap<string, Agent>): readonly Observation[] {
  try {
    return observationsOf(event, verdictOf(row), agents.get(event.source)?.history);
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
const reasoned = v.object({ reason: v.optional(v.string()) });

function verdictOf(row: Row): Verdict {
  const decision = v.parse(v.picklist(['none', 'allow', 'deny', 'ask']), row.decision);
  if (decision === 'none') return { decision, by: [], reason: null };
  const given = v.safeParse(opinions, JSON.parse(String(row.opinions)));
  const by = given.success
    ? given.output.filter((one) => !one.observing && one.response.decision === decision).map((one) => one.by)
    : [];
  const response = v.safeParse(reasoned, JSON.parse(String(row.response)));
  return { decision, by, reason: (response.success && response.output.reason) || null };
}

const base = {
  type: v.picklist(EVENT_TYPES),
  source: v.string(),
  sessionId: v.string(),
  timestamp: v.number(),
  cwd: v.nullable(v.string()),
  transcriptPath: v.nullable(v.string()),
  agentId: v.nullable(v.string()),
  promptNumber: v.number(),
  toolNumber: v.number(),
};
const tool = v.looseObject({
  name: v.string(),
  kind: v.string(),
  useId: v.nullable(v.string()),
  command: v.nullable(v.string()),
  input: v.record(v.string(), v.unknown()),
  files: v.array(v.looseObject({ op: v.string(), path: v.string() })),
});
const stored = v.looseObject({ ...base, tool: v.optional(tool) });

/** Our own format. Redaction may have changed what fields say, but not which there are. */
function isHookEvent(value: unknown): value is HookEvent {
  return v.is(stored, value);
}

function eventIn(row: Row): HookEvent | null {
  try {
    const value: unknown = JSON.parse(String(row.event));
    return isHookEvent(value) ? value : null;
  } catch {
    return null;
  }
}
