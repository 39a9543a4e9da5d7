import type { JetStreamPublishOptions } from '@nats-io/jetstream';
import type { FleetSession } from '../server/connection.ts';
import { loadNats } from '../server/nats.ts';
import type { AuditMessage } from './message.ts';

const ACK_MS = 10_000;

/** Messages in transit: sent one after the other, and awaited together. */
interface Batch {
  /** Sends it; does not wait. */
  add(message: AuditMessage): void;
  bytes(): number;
  size(): number;
  /** Resolves once the server has stored all of them: the last position in the stream, 0 if none was sent. */
  acknowledged(): Promise<number>;
}

/** Throws for a message that the server didn't confirm, after all outcomes are known. */
export async function openBatch(session: Pick<FleetSession, 'js'>, stream: string): Promise<Batch> {
  const { headers } = (await loadNats()).transport;
  const waiting: Promise<number>[] = [];
  let bytes = 0;

  async function send({ subject, id, body, headers: given }: AuditMessage): Promise<number> {
    const all = headers();
    for (const [name, value] of Object.entries(given)) all.set(name, value);
    const options: Partial<JetStreamPublishOptions> = {
      msgID: id,
      headers: all,
      timeout: ACK_MS,
      expect: { streamName: stream },
    };
    const { seq, duplicate } = await session.js.publish(subject, body, options);
    // It may be ours, sent just before a connection broke. Or another machine used the ID on any subject, and ours is
    // still missing. The next attempt reads what is there.
    if (duplicate) throw new Error('the stream has an unexpected message with this ID');
    // A cluster of version 2.9 answers "duplicate" without a position for a message that it may not have stored.
    if (seq < 1) throw new Error('the server did not confirm where it stored an event');
    return seq;
  }

  return {
    add(message) {
      const sent = send(message);
      // Checked below; this keeps a failure from being reported as unhandled until then.
      sent.catch(() => {});
      waiting.push(sent);
      bytes += message.body.length;
    },
    bytes: () => bytes,
    size: () => waiting.length,
    async acknowledged() {
      const outcomes = await Promise.allSettled(waiting);
      const sequences = outcomes.map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason;
        return outcome.value;
      });
      return sequences.reduce((last, one) => Math.max(last, one), 0);
    },
  };
}
