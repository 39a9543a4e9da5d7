import type { JsMsg, OrderedPushConsumerOptions } from '@nats-io/jetstream';
import type { FleetSession } from './connection.ts';
import { loadNats } from './nats.ts';
import { createPace } from './pace.ts';

/** Its signal says when there is no connection any more. */
export type FollowedSession = Pick<FleetSession, 'js'> & Partial<Pick<FleetSession, 'signal'>>;

interface FollowOptions {
  readonly stream: string;
  readonly subject: string;
  /** The first place in the stream that is read; without it, the last message below each subject. */
  readonly from?: number;
  readonly signal: AbortSignal;
  /** The server gives what there is. Called with the time by its clock. */
  opened?(serverTime: number): void;
}

/** What a stream has below a subject and what comes, in its order, until the signal ends it. As fast as it is read, and no faster. */
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
    // On a connection that has ended there is no answer; the server drops it by itself.
    if (!session?.aborted) await consumer.delete().catch(() => {});
  }
}
