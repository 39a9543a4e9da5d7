import type { Decision } from '../../model/responses.ts';
import { readStreamMessages } from '../record/read-stream.ts';
import type { FleetSession } from '../server/connection.ts';
import { createPace } from '../server/pace.ts';
import type { TeamNames } from '../subjects.ts';
import { type FleetEvent, type ReadFleetEvent, readFleetEvent } from './fleet-event.ts';

/** A search in the stream; an event must match all conditions. */
export interface FleetQuery {
  /** Words, in any order and case. */
  readonly text?: string;
  /** The id of a machine. */
  readonly machine?: string;
  readonly agent?: string;
  readonly type?: string;
  readonly decision?: Decision;
}

/** Limits of a search. */
interface SearchLimits {
  /** Maximum number of events. */
  readonly limit: number;
  /** Number of newest messages to search. */
  readonly most: number;
  /** Time limit. */
  readonly withinMs?: number;
}

export interface FoundInStream {
  /** The newest matches, oldest first. */
  readonly events: readonly FleetEvent[];
  /** Number of messages searched. */
  readonly looked: number;
  /** Number of messages in the stream. */
  readonly stored: number;
  /** Messages among them that aren't valid records. */
  readonly leftOut: number;
}

/** Searched before older ones, because most searches are for recent events. The time limit applies only after that. */
const LOOK = 2_000;

type Session = Pick<FleetSession, 'js' | 'jsm'>;

/** Searches the newest messages of the stream, newest first. The server filters by machine, agent and type. */
export async function searchStream(
  session: Session,
  names: TeamNames,
  query: FleetQuery,
  { limit, most, withinMs = Number.POSITIVE_INFINITY }: SearchLimits,
): Promise<FoundInStream> {
  const { state } = await session.jsm.streams.info(names.auditStream);
  const { first_seq: first, last_seq: last, messages: stored } = state;
  const end = performance.now() + withinMs;
  let events: readonly FleetEvent[] = [];
  let leftOut = 0;
  let from = last + 1;
  while (from > first && last - from + 1 < most && events.length < limit) {
    const to = from - 1;
    from = Math.max(first, to - LOOK + 1, last - most + 1);
    const found = await readBetween(session, names, query, { from, to });
    events = [...found.events, ...events].slice(-limit);
    leftOut += found.leftOut;
    if (performance.now() > end) break;
  }
  return { events, looked: Math.min(last - from + 1, stored), stored, leftOut };
}

async function readBetween(
  session: Session,
  names: TeamNames,
  query: FleetQuery,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Pick<FoundInStream, 'events' | 'leftOut'>> {
  const { auditStream: stream } = names;
  const subject = names.events(query.agent, query.type, query.machine);
  const words = wordsOf(query);
  const plain = words.filter((word) => !/["\\]/.test(word));
  const fits = fitting(words, query);
  const events: FleetEvent[] = [];
  let leftOut = 0;
  const pace = createPace();
  for await (const message of readStreamMessages(session, { stream, subject, from })) {
    if (message.seq > to) break;
    await pace();
    if (!mayFit(message.data, plain)) continue;
    const one = readFleetEvent(message);
    if (one === null) leftOut += 1;
    else if (fits(one)) events.push(one.event);
  }
  return { events, leftOut };
}

const wordsOf = ({ text = '' }: FleetQuery) => text.toLowerCase().split(/\s+/).filter(Boolean);

const OPENING = '{'.charCodeAt(0);

/** Rejects most messages without parsing them. A compressed one has to be parsed. */
function mayFit(data: Uint8Array, words: readonly string[]): boolean {
  if (words.length === 0 || data[0] !== OPENING) return true;
  const whole = Buffer.from(data).toString('utf8').toLowerCase();
  return words.every((word) => whole.includes(word));
}

/** All words must match. */
function fitting(words: readonly string[], { decision }: FleetQuery): (one: ReadFleetEvent) => boolean {
  return ({ event, text }) => {
    if (decision !== undefined && event.decision !== decision) return false;
    if (words.length === 0) return true;
    const whole = text();
    return words.every((word) => whole.includes(word));
  };
}
