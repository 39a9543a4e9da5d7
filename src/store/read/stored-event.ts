import * as v from 'valibot';
import { EVENT_TYPES, type EventType } from '../../model/events.ts';
import type { NativeAnswer } from '../../model/native.ts';
import type { Opinion } from '../../model/recording.ts';
import { decisionSchema, storedResponse } from '../../model/response-schema.ts';
import { type Degradation, EFFECTS, EXTRA_EFFECTS, type HookResponse } from '../../model/responses.ts';
import type { Row } from '../database/driver.ts';
import type { EventColumn } from './event-columns.ts';

type Fields = Readonly<Record<string, unknown>>;

interface StoredTool {
  readonly name: string;
  readonly kind: string;
  readonly useId: string | null;
  readonly input: Fields;
  /** Null until the call has ended. */
  readonly outcome: string | null;
}

/** One call as stored, without secrets. */
export interface StoredEvent {
  /** Its place in the order of commits, used as the cursor. */
  readonly row: number;
  readonly id: string;
  readonly type: EventType;
  readonly source: string;
  readonly nativeEvent: string;
  readonly sessionId: string;
  readonly sequence: number;
  readonly promptNumber: number;
  readonly toolNumber: number;
  /** In ms since the epoch. */
  readonly timestamp: number;
  readonly cwd: string | null;
  readonly projectId: string | null;
  readonly machineId: string | null;
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly tool: StoredTool | null;
  readonly response: HookResponse;
  readonly opinions: readonly Opinion[];
  readonly degraded: readonly Degradation[];
  /** IDs of the rules that contributed to the answer. */
  readonly rules: readonly string[];
  /** Null if it couldn't be stored. */
  readonly answer: NativeAnswer | null;
  readonly latencyMs: number;
  /** The canonical event, without the payload. */
  readonly event: Fields;
  readonly native: unknown;
}

const fields: v.GenericSchema<unknown, Record<string, unknown>> = v.record(v.string(), v.unknown());

const opinions: v.GenericSchema<unknown, Opinion[]> = v.array(
  v.object({
    kind: v.picklist(['rule', 'hook', 'approval', 'failure']),
    by: v.string(),
    where: v.nullable(v.string()),
    response: storedResponse,
    observing: v.exactOptional(v.boolean()),
    spent: v.exactOptional(v.literal(true)),
    problem: v.exactOptional(v.string()),
    tookMs: v.exactOptional(v.number()),
  }),
);

const degraded: v.GenericSchema<unknown, Degradation[]> = v.array(
  v.object({
    effect: v.picklist([...EFFECTS, ...EXTRA_EFFECTS, 'native']),
    reason: v.string(),
    instead: v.exactOptional(v.literal('deny')),
  }),
);

const answer: v.GenericSchema<unknown, NativeAnswer> = v.variant('action', [
  v.object({ action: v.literal('passthrough') }),
  v.object({ action: v.literal('block_with_stderr'), stderr: v.string() }),
  v.object({ action: v.literal('json_output'), stdout_json: fields }),
]);

const text: v.GenericSchema<unknown, string> = v.string();
const textOrNull: v.GenericSchema<unknown, string | null> = v.nullable(v.string());

const columns = v.object({
  row: v.number(),
  id: text,
  type: v.picklist(EVENT_TYPES),
  source: text,
  native_event: text,
  session_id: text,
  sequence: v.number(),
  prompt_number: v.number(),
  tool_number: v.number(),
  timestamp: v.number(),
  cwd: textOrNull,
  project_id: textOrNull,
  machine_id: textOrNull,
  user_id: textOrNull,
  agent_id: textOrNull,
  tool_name: textOrNull,
  tool_kind: textOrNull,
  tool_use_id: textOrNull,
  outcome: textOrNull,
  decision: decisionSchema,
  latency_ms: v.number(),
  rules: text,
  degraded: text,
  response: text,
  answer: text,
  opinions: text,
  event: text,
  native: textOrNull,
});

export function isOptional(column: EventColumn): boolean {
  return v.is(columns.entries[column], null);
}

/** A row of `events`. If redaction made its JSON invalid, the columns are used instead. */
export function toStoredEvent(raw: Row): StoredEvent {
  const row = v.parse(columns, raw);
  const event: Fields = readJson(fields, row.event, { metadata: { problem: UNREADABLE } });
  return {
    row: row.row,
    id: row.id,
    type: row.type,
    source: row.source,
    nativeEvent: row.native_event,
    sessionId: row.session_id,
    sequence: row.sequence,
    promptNumber: row.prompt_number,
    toolNumber: row.tool_number,
    timestamp: row.timestamp,
    cwd: row.cwd,
    projectId: row.project_id,
    machineId: row.machine_id,
    userId: row.user_id,
    agentId: row.agent_id,
    tool:
      row.tool_name === null
        ? null
        : {
            name: row.tool_name,
            kind: row.tool_kind ?? 'other',
            useId: row.tool_use_id,
            input: inputOf(event.tool),
            outcome: row.outcome,
          },
    response: readJson(storedResponse, row.response, {
      decision: row.decision,
      metadata: { problem: UNREADABLE },
    }),
    opinions: readOpinions(row.opinions),
    degraded: readDegraded(row.degraded),
    rules: readJson(v.array(text), row.rules, []),
    answer: readJson(answer, row.answer, null),
    latencyMs: row.latency_ms,
    event,
    native: row.native === null ? null : readJson(v.unknown(), row.native, null),
  };
}

/** The opinions about a call, from its column. */
export function readOpinions(json: string): readonly Opinion[] {
  return json === '[]' ? [] : readJson(opinions, json, []);
}

/** The parts of an answer that weren't delivered, from the column. */
export function readDegraded(json: string): readonly Degradation[] {
  return json === '[]' ? [] : readJson(degraded, json, []);
}

const UNREADABLE = 'What was stored could not be read back.';
const toolWithInput = v.object({ input: fields });

function inputOf(tool: unknown): Fields {
  const read = v.safeParse(toolWithInput, tool);
  return read.success ? read.output.input : {};
}

function readJson<T, F>(schema: v.GenericSchema<unknown, T>, json: string, otherwise: F): T | F {
  try {
    const read = v.safeParse(schema, JSON.parse(json));
    return read.success ? read.output : otherwise;
  } catch {
    return otherwise;
  }
}
