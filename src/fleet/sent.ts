import type { FleetSession } from './connection.ts';
import { readStreamMessages } from './read-stream.ts';

const MSG_ID = 'Nats-Msg-Id';

/** Ids of the messages that a stream has below a subject, from a place on. Only headers are read. */
export async function idsInStream(
  session: Pick<FleetSession, 'js'>,
  stream: string,
  subject: string,
  from: number,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const message of readStreamMessages(session, { stream, subject, from, headersOnly: true })) {
    const id = message.headers?.get(MSG_ID);
    if (id) ids.add(id);
  }
  return ids;
}
