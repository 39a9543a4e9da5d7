import type { JsMsg, OrderedPushConsumerOptions } from '@nats-io/jetstream';
import type { FleetSession } from './connection.ts';
import { loadNats } from './nats.ts';
import { createPace } from './pace.ts';

/** Its signal aborts when the connection ends. */
export type FollowedSession = Pick<FleetSession, 'js'> & Partial<Pick<FleetSession, 'signal'>>;

interface FollowOptions {
  readonly stream: string;
  readonly subject: string;
  /** The first position to read; if omitted, the last message of each subject. */
  readonly from?: number;
  readonly signal: AbortSignal;
  /** The server has started to send. Called with the server's time. */
  opened?(serverTime: number): void;
}

/**
 * Present and future messages of a stream under a subject, in order, until the signal. Only as fast as they are read.
 */
export async function* followMessages(
  { js, signal: session }: FollowedSession,
  { stream, subject, from, signal, opened }: FollowOptions,
): AsyncGenerator<JsMsg> {
  const { DeliverPolicy } = (await loadNats()).jetstream;
  const start: Partial<OrderedPushConsumerOptions> =
    from === undefined
      ? { deliver_policy: DeliverPolicy.LastPerSubject }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(1, from) };
  const consumer = await js.consumers.getPushConsumer(stream, { filter_subjects: subject, ...start });
  const messages = await consumer.consume({ abort_on_missing_resource: true });
  opened?.(Date.parse((await consumer.info(true)).created));
  const stop = () => void messages.close();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const pace = createPace();
    for await (const message of messages) {
      yield message;
      await pace();
    }
    if (!signal.aborted) throw new Error('the server stopped sending messages');
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
    // A closed connection gets no reply; the server removes the consumer by itself.
    if (!session?.aborted) await consumer.delete().catch(() => {});
  }
}
