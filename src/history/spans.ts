import { sessionKey } from '../model/events.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Database } from '../store/database/driver.ts';
import { listEvents } from '../store/read/queries.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';

/**
 * A turn of a session, or a call within one, as a trace span. IDs are derived from ours, so sending twice creates one
 * span.
 */
export interface SpanData {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean | string[]>>;
}

interface SpanFilter {
  readonly session?: string;
  readonly source?: string;
  readonly since?: number;
}

const TURN_ENDS: ReadonlySet<string> = new Set(['stop', 'after_agent', 'stop_failure', 'interrupt']);

/** One span per turn, each with one child per tool call. */
export function spansOf(db: Database, filter: SpanFilter): readonly SpanData[] {
  const sessions = new Map<string, StoredEvent[]>();
  const events = listEvents(db, {
    ...(filter.session === undefined ? {} : { session: filter.session }),
    ...(filter.source === undefined ? {} : { source: filter.source }),
  });
  for (const event of events) {
    if (filter.since !== undefined && event.timestamp < filter.since) continue;
    const key = sessionKey(event);
    const list = sessions.get(key) ?? [];
    list.push(event);
    sessions.set(key, list);
  }
  return [...sessions].flatMap(([key, list]) => sessionSpans(key, list));
}

function sessionSpans(key: string, events: readonly StoredEvent[]): SpanData[] {
  const traceId = digest(key, 32);
  const turns = new Map<number, StoredEvent[]>();
  for (const event of events) {
    const list = turns.get(event.promptNumber) ?? [];
    list.push(event);
    turns.set(event.promptNumber, list);
  }
  return [...turns]
    .filter(([number]) => number > 0)
    .flatMap(([number, list]) => turnSpans(traceId, key, number, list));
}

function turnSpans(traceId: string, key: string, number: number, events: readonly StoredEvent[]): SpanData[] {
  const [first] = events;
  if (first === undefined) return [];
  const last = events.findLast(({ type }) => TURN_ENDS.has(type)) ?? events.at(-1) ?? first;
  const spanId = digest(`${key} turn ${number}`, 16);
  const turn: SpanData = {
    traceId,
    spanId,
    parentId: null,
    name: 'turn',
    startMs: first.timestamp,
    endMs: last.timestamp,
    failed: last.type === 'stop_failure',
    attributes: {
      'hookline.agent': first.source,
      'hookline.session.id': first.sessionId,
      'hookline.turn.number': number,
      'hookline.events': events.length,
      'hookline.latency_ms': sum(events.map(({ latencyMs }) => latencyMs)),
      ...(first.projectId === null ? {} : { 'hookline.project': first.projectId }),
    },
  };
  const calls = events.filter(({ type }) => type === 'before_tool');
  return [turn, ...calls.map((call) => callSpan(turn, key, call, events))];
}

function callSpan(turn: SpanData, key: string, call: StoredEvent, events: readonly StoredEvent[]): SpanData {
  const about = events.filter(({ tool, toolNumber }) => tool !== null && toolNumber === call.toolNumber);
  const end = about.find(({ type }) => type === 'after_tool');
  const outcome = end?.tool?.outcome ?? (call.response.decision === 'deny' ? 'denied' : 'unknown');
  return {
    traceId: turn.traceId,
    spanId: digest(`${key} call ${call.id}`, 16),
    parentId: turn.spanId,
    name: `tool ${call.tool?.name ?? ''}`,
    startMs: call.timestamp,
    endMs: end?.timestamp ?? call.timestamp,
    failed: outcome === 'failed',
    attributes: {
      'hookline.agent': call.source,
      'hookline.tool.name': call.tool?.name ?? '',
      'hookline.tool.kind': call.tool?.kind ?? '',
      'hookline.tool.outcome': outcome,
      'hookline.decision': call.response.decision,
      'hookline.rules': [...call.rules],
      'hookline.latency_ms': sum(about.map(({ latencyMs }) => latencyMs)),
      ...(call.tool?.useId == null ? {} : { 'hookline.tool.call_id': call.tool.useId }),
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function digest(text: string, length: number): string {
  return sha256(text).slice(0, length);
}
