import type { FleetSession } from '../server/connection.ts';
import { type FollowedSession, followMessages } from '../server/follow-stream.ts';
import type { TeamNames } from '../subjects.ts';
import { type FleetEvent, readFleetEvent } from './fleet-event.ts';

interface Hearing {
  /** The last position received; 0 for none. */
  readonly after: number;
  /** How many of the newest messages to send first. */
  readonly last: number;
  hear(event: FleetEvent): void;
  /** This many messages were skipped, because more arrived than can be read. */
  skipped(count: number): void;
  /** A message that isn't a valid record. */
  leftOut(): void;
  /** The server has started to send. */
  opened?(): void;
}

/** A reader that is further behind than this skips to the newest. */
const MOST_BEHIND = 2_000;

/** Sends the newest events of all machines and every new one, until the signal. */
export async function followEvents(
  session: FollowedSession & Pick<FleetSession, 'jsm'>,
  names: TeamNames,
  hearing: Hearing,
  signal: AbortSignal,
): Promise<void> {
  let heard = hearing.after;
  while (!signal.aborted) {
    const { state } = await session.jsm.streams.info(names.auditStream);
    // A new stream of the same name starts from 1.
    if (heard > state.last_seq) heard = 0;
    const from = Math.max(heard + 1, state.last_seq - hearing.last + 1, state.first_seq);
    if (heard > 0 && from > heard + 1) hearing.skipped(from - heard - 1);
    heard = Math.max(heard, await hearFrom(session, names, { ...hearing, from }, signal));
  }
}

/** Runs until it is too far behind. Returns the last position received. */
async function hearFrom(
  session: FollowedSession,
  names: TeamNames,
  { from, last, hear, leftOut, opened = () => {} }: Hearing & { readonly from: number },
  signal: AbortSignal,
): Promise<number> {
  const options = { stream: names.auditStream, subject: names.events(), from, signal, opened };
  let heard = from - 1;
  for await (const message of followMessages(session, options)) {
    heard = message.seq;
    const one = readFleetEvent(message);
    if (one === null) leftOut();
    else hear(one.event);
    if (message.info.pending > last + MOST_BEHIND) return heard;
  }
  return heard;
}
