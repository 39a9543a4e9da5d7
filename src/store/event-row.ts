import { type HookEvent, isToolEvent } from '../model/events.ts';
import type { CallRecord } from '../model/recording.ts';
import type { HookResponse } from '../model/responses.ts';
import { redactId } from '../redact/ids.ts';
import type { Row, SqlValue } from './driver.ts';
import { eventJson, type Redact, redactedJson, toJson } from './event-json.ts';
import { withoutLongTexts } from './long-text.ts';
import { asBytes, asNumber, safeText, safeValue } from './safe-columns.ts';

/** In the order of `eventRow`. */
export const EVENT_COLUMNS = [
  'id',
  'source',
  'session_id',
  'type',
  'native_event',
  'sequence',
  'prompt_number',
  'tool_number',
  'timestamp',
  'cwd',
  'project_id',
  'machine_id',
  'user_id',
  'agent_id',
  'tool_name',
  'tool_kind',
  'tool_use_id',
  'outcome',
  'decision',
  'latency_ms',
  'rules',
  'degraded',
  'response',
  'answer',
  'opinions',
  'event',
  'native',
] as const;

export type EventColumn = (typeof EVENT_COLUMNS)[number];

const NUMBERS: readonly string[] = ['sequence', 'prompt_number', 'tool_number', 'timestamp', 'latency_ms'];

/** All of them with their place, to be read with `foundRecord`: what is stored may be damaged. */
export const SAFE_EVENT_COLUMNS: string = [
  'row',
  asNumber('link'),
  asBytes('hash'),
  ...EVENT_COLUMNS.map((column) => (NUMBERS.includes(column) ? asNumber(column) : asBytes(column))),
].join(', ');

/** A record as the database has it: where that is damaged, nothing of it is certain. */
export interface FoundRecord {
  /** Null for one from before there was a chain. */
  readonly link: number | null;
  /** In hex; empty where there is none. */
  readonly hash: string;
  /** In the order of `EVENT_COLUMNS`. */
  readonly values: readonly SqlValue[];
}

export function foundRecord(row: Row): FoundRecord {
  const values = EVENT_COLUMNS.map((column) => safeValue(row[column]));
  return { link: row.link === null ? null : Number(row.link), hash: safeText(row.hash) ?? '', values };
}

/** With its place in the chain. Changes nothing when the id is stored; fails when the session has an event of this sequence. */
export const INSERT_EVENT: string = `INSERT INTO events (${EVENT_COLUMNS.join(', ')}, link, hash)
  VALUES (${EVENT_COLUMNS.map(() => '?').join(', ')}, ?, ?) ON CONFLICT (id) DO NOTHING`;

/** One call as the values of its row. */
export function eventRow(record: CallRecord, event: HookEvent, redact: Redact): readonly SqlValue[] {
  const tool = isToolEvent(event) ? event.tool : null;
  const { response, opinions } = record;
  // Cut afterwards: half a secret would not be found.
  const json = eventJson(event, (text) => withoutLongTexts(redactedJson(text, redact)));
  return [
    plainId(event.id),
    plain(event.source),
    plainId(event.sessionId),
    plain(event.type),
    plainId(event.nativeEvent),
    event.sequence,
    event.promptNumber,
    event.toolNumber,
    validTime(event.timestamp),
    redactedText(event.cwd, redact),
    redactedText(event.projectId, redact),
    idOrNull(event.machineId),
    idOrNull(event.userId),
    idOrNull(event.agentId),
    tool === null ? null : plainId(tool.name),
    tool === null ? null : plain(tool.kind),
    tool === null ? null : idOrNull(tool.useId),
    event.type === 'after_tool' ? event.tool.outcome : null,
    response.decision,
    Number.isFinite(record.latencyMs) ? record.latencyMs : 0,
    redactedJson(toJson(rulesOf(record)) ?? '[]', redact),
    redactedJson(toJson(record.degraded) ?? '[]', redact),
    redactedJson(toJson(response) ?? decisionOnly(response), redact),
    redactedJson(toJson(record.answer) ?? 'null', redact),
    redactedJson(toJson(opinions) ?? '[]', redact),
    json.event,
    json.native,
  ];
}

/** Text for a column. Both drivers cut a text at NUL, and replace half a surrogate pair, when it is read. */
export function plain(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  return text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** The same for an id or a name that others choose. */
export function plainId(id: string): string {
  return plain(redactId(id));
}

export function redactedText(text: string | null, redact: Redact): string | null {
  return text === null ? null : plain(redact(text));
}

const LAST_DATE_MS = 8.64e15;

/** A time that is a date: one odd clock must neither fail a commit nor hide the other events. */
export function validTime(ms: number): number {
  return Math.trunc(Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, -LAST_DATE_MS), LAST_DATE_MS));
}

function idOrNull(id: string | null): string | null {
  return id === null ? null : plainId(id);
}

/** Those with a part in the answer, each once. */
function rulesOf(record: CallRecord): readonly string[] {
  const ids = record.opinions.filter((opinion) => opinion.kind === 'rule' && opinion.observing !== true);
  return [...new Set(ids.map((opinion) => opinion.by))];
}

function decisionOnly({ decision }: HookResponse): string {
  return JSON.stringify({ decision, metadata: { problem: 'The rest cannot be stored as JSON.' } });
}
