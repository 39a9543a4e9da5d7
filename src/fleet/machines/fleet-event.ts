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
 * What happened on a machine of the fleet, as a line of a list. Its texts are those of another machine: short, and with nothing
 * in them but what can be seen.
 */
export interface FleetEvent {
  /** Its place in the stream. */
  readonly place: number;
  /** The id of the machine. */
  readonly machine: string;
  readonly id: string;
  /** By the clock of that machine. */
  readonly at: number;
  readonly agent: string;
  readonly sessionId: string;
  readonly type: string;
  readonly project: string;
  /** The tool; for what is not a call, what happened. */
  readonly name: string;
  readonly subject: string;
  /** What was delivered to the agent. */
  readonly decision: Decision;
  readonly outcome: Outcome | null;
  /** The same in words, with who decided. */
  readonly words: string;
  /** Of little interest: the protocol, and that a call was done. A feed leaves it out. */
  readonly minor: boolean;
}

/** An event with all of its text, to be searched. */
export interface ReadFleetEvent {
  readonly event: FleetEvent;
  /** In lower case. */
  text(): string;
}

/** More than nearly every record has. Reading a larger one would keep the agents of this machine waiting. */
const MOST_BYTES = 8 << 20;

/** Null for what is not a record, is not what was recorded, or stands below a subject that is not its own. */
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
/** Not all opinions: reasons of rules that did not decide name many things. */
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

/** One event says less than a call: whether it was let, or how it ended. */
function endingOf(brief: EventBrief): { readonly outcome: Outcome; readonly words: string } | null {
  const decided = eventEnding(brief);
  if (decided !== null || brief.type !== 'after_tool') return decided;
  if (brief.outcome === 'ok') return { outcome: 'done', words: 'done' };
  return brief.outcome === null ? null : { outcome: 'failed', words: brief.outcome };
}
