import type { JsMsg, OrderedConsumerOptions } from '@nats-io/jetstream';
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
  /** The server gives what there is. */
  opened?(): void;
}

/** On their way at a time: a message may be as large as the server takes. */
const AHEAD = 64;

/** What a stream has below a subject and what comes, in its order, until the signal ends it. As fast as it is read, and no faster. */
export async function* followMessages(
  { js, signal: session }: FollowedSession,
  { stream, subject, from, signal, opened }: FollowOptions,
): AsyncGenerator<JsMsg> {
  const { DeliverPolicy } = (await loadNats()).jetstream;
  const start: Partial<OrderedConsumerOptions> =
    from === undefined
      ? { deliver_policy: DeliverPolicy.LastPerSubject }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(1, from) };
  const consumer = await js.consumers.get(stream, { filter_subjects: subject, ...start });
  const messages = await consumer.consume({ max_messages: AHEAD, abort_on_missing_resource: true });
  opened?.();
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const pace = createPace();
    for await (const message of messages) {
      yield message;
      await pace();
    }
    if (!signal.aborted) throw new Error('the server no longer gives what the stream has');
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
    // On a connection that has ended nobody would answer; the server drops it by itself.
    if (!session?.aborted) await consumer.delete().catch(() => {});
  }
}
