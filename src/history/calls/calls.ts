import type { EventBrief } from './event-brief.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { LOST_AFTER_MS } from './session-state.ts';

/** One tool call with all of its events: the unit of every surface. */
export interface Call {
  readonly key: string;
  /** The most informative event: the one at which the call was decided. */
  readonly id: string;
  readonly source: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly place: string;
  readonly tool: string;
  readonly subject: string;
  readonly start: number;
  /** Null until its end is recorded. */
  readonly end: number | null;
  readonly outcome: Outcome;
  readonly words: string;
  readonly rules: readonly string[];
  /** Duration of the tool itself; null if unknown. */
  readonly durationMs: number | null;
  /** Time spent waiting for a person, and Hookline's own cost. */
  readonly waitedMs: number;
  readonly costMs: number;
  readonly events: readonly EventBrief[];
}

export type Item =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'event'; readonly event: EventBrief };

const CALL_TYPES: ReadonlySet<string> = new Set([
  'before_tool',
  'permission_request',
  'permission_denied',
  'after_tool',
]);
/** No call of the same agent continues after these. */
export const TURN_BOUNDARIES: ReadonlySet<string> = new Set([
  'before_agent',
  'after_agent',
  'stop',
  'stop_failure',
  'interrupt',
  'subagent_stop',
]);

const sessionOf = ({ source, sessionId }: EventBrief): string => `${source}/${sessionId}`;

export function keyOfCall(event: EventBrief): string | null {
  if (!CALL_TYPES.has(event.type) || event.tool === null) return null;
  return `${sessionOf(event)}/${event.agentId ?? ''}/${event.toolNumber}`;
}

/** Calls, and events outside of calls, by start time. */
export function itemsOf(events: readonly EventBrief[], now: number): readonly Item[] {
  const calls = new Map<string, EventBrief[]>();
  const others: EventBrief[] = [];
  for (const event of events) {
    const key = keyOfCall(event);
    const known = key === null ? others : calls.get(key);
    if (known) known.push(event);
    else if (key !== null) calls.set(key, [event]);
  }
  const hasEnded = boundaries(events, now);
  const items = [
    ...[...calls].map(([key, own]): Item => ({ kind: 'call', call: callOf(key, own, hasEnded) })),
    ...others.map((event): Item => ({ kind: 'event', event })),
  ];
  return items.sort((a, b) => startOf(a) - startOf(b) || commitOf(a) - commitOf(b));
}

export const startOf = (item: Item): number =>
  item.kind === 'call' ? item.call.start : item.event.timestamp;
const commitOf = (item: Item): number =>
  item.kind === 'call' ? (item.call.events[0]?.row ?? 0) : item.event.row;

/** True if a call with this last event can still get a result. */
function boundaries(events: readonly EventBrief[], now: number): (last: EventBrief) => boolean {
  const turns = new Map<string, number>();
  const sessions = new Map<string, number>();
  const latest = new Map<string, number>();
  for (const event of events) {
    const session = sessionOf(event);
    latest.set(session, Math.max(latest.get(session) ?? 0, event.timestamp));
    if (event.type === 'session_end') sessions.set(session, event.row);
    else if (TURN_BOUNDARIES.has(event.type)) turns.set(`${session}/${event.agentId ?? ''}`, event.row);
  }
  return (last) => {
    const session = sessionOf(last);
    const ended = Math.max(sessions.get(session) ?? 0, turns.get(`${session}/${last.agentId ?? ''}`) ?? 0);
    return ended > last.row || now - (latest.get(session) ?? 0) > LOST_AFTER_MS;
  };
}

function callOf(key: string, events: readonly EventBrief[], hasEnded: (last: EventBrief) => boolean): Call {
  const [first, ...later] = events;
  if (!first) throw new Error('a call without events');
  const last = later.at(-1) ?? first;
  const ending = outcomeOf(events, hasEnded(last));
  const result = events.findLast(({ type }) => type === 'after_tool') ?? null;
  const isOpen = ending.outcome === 'running' || ending.outcome === 'waiting' || ending.outcome === 'unknown';
  const sum = (of: (event: EventBrief) => number) => events.reduce((total, event) => total + of(event), 0);
  return {
    key,
    id: (events.findLast(({ decision, rules }) => decision !== 'none' || rules.length > 0) ?? first).id,
    source: first.source,
    sessionId: first.sessionId,
    agentId: first.agentId,
    place: first.place,
    tool: first.tool ?? '',
    subject: first.subject,
    start: first.timestamp,
    end: isOpen ? null : Math.max(first.timestamp, last.timestamp),
    ...ending,
    rules: [...new Set(events.flatMap(({ rules }) => rules))],
    durationMs: result && durationOf(result, events),
    waitedMs: sum(({ waitedMs }) => waitedMs),
    costMs: sum(({ costMs }) => costMs),
    events,
  };
}

/** The agent's value; otherwise from the last answer before the result. */
function durationOf(result: EventBrief, events: readonly EventBrief[]): number | null {
  if (result.durationMs !== null) return result.durationMs;
  const before = events.findLast(({ type }) => type !== 'after_tool');
  if (!before) return null;
  const ms = result.timestamp - before.timestamp - before.waitedMs - before.costMs;
  // Below the clock's precision.
  return ms >= 1 ? ms : null;
}
