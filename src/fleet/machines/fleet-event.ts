import { type EventBrief, toBrief } from '../../history/calls/event-brief.ts';
import { eventEnding, eventWord, isProtocol } from '../../history/calls/event-words.ts';
import type { Outcome } from '../../history/calls/outcome.ts';
import { textsInJson } from '../../model/json.ts';
import type { Decision } from '../../model/responses.ts';
import type { SqlValue } from '../../store/database/driver.ts';
import { EVENT_COLUMNS, validTime } from '../../store/read/event-columns.ts';
import { toStoredEvent } from '../../store/read/stored-event.ts';
import { readMessage, type StreamMessage } from '../record/message.ts';
import { isIntact } from '../record/verify.ts';
import { shownText } from '../shown-text.ts';
import { machineInSubject, subjectToken } from '../subjects.ts';

/**
 * An event on a machine of the fleet, for lists. Its texts come from another machine, so they are shortened and
 * contain only visible characters.
 */
export interface FleetEvent {
  /** Its position in the stream. */
  readonly place: number;
  /** The id of the machine. */
  readonly machine: string;
  readonly id: string;
  /** By that machine's clock. */
  readonly at: number;
  readonly agent: string;
  readonly sessionId: string;
  readonly type: string;
  readonly project: string;
  /** The tool, or the kind of event if it isn't a call. */
  readonly name: string;
  readonly subject: string;
  /** What was delivered to the agent. */
  readonly decision: Decision;
  readonly outcome: Outcome | null;
  /** The same in words, with who decided. */
  readonly words: string;
  /** Of little interest, such as protocol events and completed calls. The feed leaves it out. */
  readonly minor: boolean;
}

/** An event with all of its text, for searching. */
export interface ReadFleetEvent {
  readonly event: FleetEvent;
  /** In lower case. */
  text(): string;
}

/** More than almost any record. Reading a larger one would delay the agents of this machine. */
const MOST_BYTES = 8 << 20;

/** Null for a message that isn't a record, was altered, or has the wrong subject. */
export function readFleetEvent(message: StreamMessage): ReadFleetEvent | null {
  const [, , , , kind, agent, type] = message.subject.split('.');
  const item = kind === 'event' ? readMessage(message, MOST_BYTES) : null;
  if (item?.kind !== 'record' || !isIntact(item)) return null;
  const columns = Object.fromEntries(EVENT_COLUMNS.map((column, at) => [column, item.values[at] ?? null]));
  if (tokenOf(columns.source) !== agent || tokenOf(columns.type) !== type) return null;
  const brief = briefOf(columns, message.seq);
  if (brief === null) return null;
  return {
    event: fleetEventOf(brief, machineInSubject(message.subject), message.seq),
    text: () =>
      [
        ...PLAIN.map((column) => columns[column]),
        ...IN_JSON.flatMap((column) => [...textsInJson(String(columns[column]))]),
      ]
        .join('\n')
        .toLowerCase(),
  };
}

const PLAIN = ['id', 'source', 'type', 'session_id', 'cwd', 'tool_name', 'user_id'] as const;
/** Without opinions, because reasons of rules that didn't decide name many things. */
const IN_JSON = ['rules', 'response', 'event'] as const;

const tokenOf = (value: SqlValue | undefined) => (typeof value === 'string' ? subjectToken(value) : null);

/** Columns that were too large to send are empty. */
const MAY_BE_EMPTY = ['response', 'answer', 'opinions', 'event', 'rules', 'degraded'];

function briefOf(columns: Readonly<Record<string, SqlValue>>, row: number): EventBrief | null {
  const filled = Object.fromEntries(MAY_BE_EMPTY.map((column) => [column, columns[column] ?? '']));
  try {
    return toBrief(toStoredEvent({ ...columns, ...filled, native: null, row }));
  } catch {
    return null;
  }
}

export function fleetEventOf(brief: EventBrief, machine: string, place: number): FleetEvent {
  const ending = endingOf(brief);
  return {
    place,
    machine: shownText(machine, 40),
    id: shownText(brief.id, 100),
    at: validTime(brief.timestamp),
    agent: shownText(brief.source, 40),
    sessionId: shownText(brief.sessionId, 100),
    type: brief.type,
    project: shownText(brief.place, 60),
    name: shownText(brief.tool ?? eventWord(brief), 60),
    subject: shownText(brief.subject, 160),
    decision: brief.delivered,
    outcome: ending?.outcome ?? null,
    words: shownText(ending?.words ?? '', 120),
    minor: isProtocol(brief) || ending?.outcome === 'done',
  };
}

/** One event says less than a whole call: whether it was allowed, or how it ended. */
function endingOf(brief: EventBrief): { readonly outcome: Outcome; readonly words: string } | null {
  const decided = eventEnding(brief);
  if (decided !== null || brief.type !== 'after_tool') return decided;
  if (brief.outcome === 'ok') return { outcome: 'done', words: 'done' };
  return brief.outcome === null ? null : { outcome: 'failed', words: brief.outcome };
}
