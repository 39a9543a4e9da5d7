import type { FleetSession } from './connection.ts';
import { loadNats } from './nats.ts';

const PAGE = 500;
const PAGE_MS = 5_000;
const MSG_ID = 'Nats-Msg-Id';

/** Ids of the messages that a stream has below a subject, from a place on. Only headers are read. */
export async function idsInStream(
  session: Pick<FleetSession, 'js' | 'signal'>,
  stream: string,
  subject: string,
  from: number,
): Promise<ReadonlySet<string>> {
  const { DeliverPolicy } = (await loadNats()).jetstream;
  const consumer = await session.js.consumers.get(stream, {
    filter_subjects: subject,
    headers_only: true,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, from),
  });
  const ids = new Set<string>();
  let left = (await consumer.info()).num_pending;
  try {
    while (left > 0) {
      const before = ids.size;
      for await (const message of await consumer.fetch({ max_messages: PAGE, expires: PAGE_MS })) {
        ids.add(message.headers?.get(MSG_ID) ?? `#${message.seq}`);
        left = message.info.pending;
        if (left === 0) break;
      }
      session.signal.throwIfAborted();
      if (ids.size === before) throw new Error('the stream did not give what it has');
    }
  } finally {
    await consumer.delete().catch(() => {});
  }
  return ids;
}
