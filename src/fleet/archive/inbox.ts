import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { createWake } from '../record/wake.ts';

/** What comes from a consumer. All of it while something is stored comes together next. */
interface Inbox {
  /** Nothing where nothing came for a while. Throws where nothing can come any more. */
  next(signal: AbortSignal): Promise<readonly JsMsg[]>;
  /** Messages that were not taken go to the next inbox at once. */
  close(): Promise<void>;
}

const WAIT_MS = 1_000;

/** One request after the other would lose what comes between them until it is sent again: this is one that goes on. */
export async function openInbox(consumer: Consumer, most: number): Promise<Inbox> {
  // By their places: what comes again while the database is away takes no more room.
  const waiting = new Map<number, JsMsg>();
  const wake = createWake();
  let problem: Error | null = null;
  const messages = await consumer.consume({
    max_messages: most,
    abort_on_missing_resource: true,
    callback(message) {
      waiting.set(message.seq, message);
      wake.note();
    },
  });
  void messages.closed().then((error) => {
    problem = error ?? new Error('the server stopped sending messages');
    wake.note();
  });
  return {
    async next(signal) {
      if (waiting.size === 0 && problem === null) await wake.wait(WAIT_MS, signal);
      if (waiting.size === 0 && problem !== null) throw problem;
      const taken = [...waiting.values()].slice(0, most);
      for (const { seq } of taken) waiting.delete(seq);
      return taken;
    },
    async close() {
      await messages.close();
      for (const message of waiting.values()) message.nak();
    },
  };
}
