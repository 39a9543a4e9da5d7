import { randomBytes } from 'node:crypto';
import type { ConsumerConfig, JsMsg, PushConsumer } from '@nats-io/jetstream';
import type { FleetSession } from './connection.ts';
import { loadNats } from './nats.ts';

export type Reader = Pick<FleetSession, 'js' | 'jsm'>;

interface PushOptions {
  readonly stream: string;
  readonly subject: string;
  /** The name of the consumer, for logins that may create only that one; otherwise generated. */
  readonly name: string | undefined;
  readonly start: Partial<ConsumerConfig>;
  /** Called with the server's time. */
  opened?: ((serverTime: number) => void) | undefined;
}

const NANOSECONDS = 1e6;
const INACTIVE_MS = 60_000;
/** Heartbeat interval of a server that has nothing to send. */
const HEARTBEAT_MS = 5_000;

/**
 * What the server sends of a stream, up to what it had at the beginning.
 *
 * Machines don't ask for messages: the answer "there are none" has no body and goes to the subject that the client names. At
 * `$JS.API.STREAM.DELETE.…` it deletes a stream, and no right of the client prevents that. What a server sends by itself goes
 * only where a client listens to exactly that subject, and nothing listens like this there.
 */
export async function* pushedMessages(session: Reader, options: PushOptions): AsyncGenerator<JsMsg> {
  const { name, pending } = await addConsumer(session, options);
  try {
    if (pending > 0) yield* receive(session, options.stream, name);
  } finally {
    await session.jsm.consumers.delete(options.stream, name).catch(() => {});
  }
}

async function* receive({ js }: Reader, stream: string, name: string): AsyncGenerator<JsMsg> {
  const messages = await (await js.consumers.getPushConsumer(stream, name)).consume();
  const progress = { received: 0, isOver: false };
  void watch(messages, progress);
  for await (const message of messages) {
    progress.received += 1;
    // The server numbers its messages.
    if (message.info.deliverySequence !== progress.received) break;
    yield message;
    progress.isOver = message.info.pending === 0;
    if (progress.isOver) break;
  }
  if (!progress.isOver) throw new Error('the server did not send messages');
}

async function addConsumer(
  { js, jsm }: Reader,
  { stream, subject, start, name: given, opened }: PushOptions,
): Promise<{ readonly name: string; readonly pending: number }> {
  const { jetstream, transport } = await loadNats();
  // A consumer left by a broken connection has another start.
  if (given !== undefined) await jsm.consumers.delete(stream, given).catch(() => {});
  const name = given ?? `read-${randomBytes(12).toString('hex')}`;
  const { num_pending: pending, created } = await jsm.consumers.add(stream, {
    name,
    filter_subject: subject,
    deliver_subject: transport.createInbox(js.getOptions().watcherPrefix),
    ack_policy: jetstream.AckPolicy.None,
    flow_control: true,
    idle_heartbeat: HEARTBEAT_MS * NANOSECONDS,
    inactive_threshold: INACTIVE_MS * NANOSECONDS,
    mem_storage: true,
    // A reused name must not depend on one server, which may be gone.
    ...(given === undefined ? { num_replicas: 1 } : {}),
    ...start,
  });
  opened?.(Date.parse(created));
  return { name, pending };
}

type Pushed = Awaited<ReturnType<PushConsumer['consume']>>;

interface Progress {
  readonly received: number;
  isOver: boolean;
}

/** Ends the reading if the server is gone, or has sent everything: expected messages may have been deleted since. */
async function watch(messages: Pushed, progress: Progress): Promise<void> {
  for await (const status of messages.status()) {
    if (status.type === 'heartbeat' && status.lastConsumerSequence === progress.received)
      progress.isOver = true;
    const isLost = status.type === 'heartbeats_missed' || status.type === 'consumer_deleted';
    if (progress.isOver || isLost) await messages.close();
  }
}
