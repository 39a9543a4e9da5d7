import type { EventType } from '../../model/events.ts';
import type { Item } from './calls.ts';
import { eventEnding, eventWord, isProtocol } from './event-words.ts';
import type { Outcome } from './outcome.ts';

/** One line of a list, the same on every surface. With less room, a surface omits columns and shortens the subject. */
export interface Row {
  readonly key: string;
  /** ID for `hookline why` and the event page. */
  readonly id: string;
  readonly at: number;
  readonly source: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly place: string;
  /** The tool, or the kind of event if it isn't a call. */
  readonly name: string;
  readonly subject: string;
  readonly outcome: Outcome | null;
  readonly words: string;
  readonly durationMs: number | null;
}

/** Their subject is a word of the agent for why, such as `startup`. */
const CAUSED: ReadonlySet<EventType> = new Set(['session_start', 'session_end']);

export function rowOf(item: Item): Row {
  if (item.kind === 'call') {
    const { call } = item;
    return { ...call, name: call.tool, at: call.start };
  }
  const { event } = item;
  const { id, timestamp, source, sessionId, agentId, place, subject } = event;
  const ending = eventEnding(event);
  return {
    key: id,
    id,
    at: timestamp,
    source,
    sessionId,
    agentId,
    place,
    name: eventWord(event),
    subject: CAUSED.has(event.type) && subject !== '' ? `(${subject})` : subject,
    outcome: ending?.outcome ?? null,
    words: ending?.words ?? '',
    durationMs: null,
  };
}

/** True for items that a list shows without protocol events. */
export function isStory(item: Item): boolean {
  return item.kind === 'call' || !isProtocol(item.event);
}
