import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { createWake } from '../record/wake.ts';

/** Messages of a consumer. Everything that arrives during a write is returned together by the next call. */
interface Inbox {
  /** Empty if nothing arrived for a while. Throws if nothing can arrive any more. */
  next(signal: AbortSignal): Promise<readonly JsMsg[]>;
  /** Messages not yet taken go to the next inbox at once. */
  close(): Promise<void>;
}

const WAIT_MS = 1_000;

/** Separate requests would miss messages in between until they are sent again, so one request stays open. */
export async function openInbox(consumer: Consumer, most: number): Promise<Inbox> {
  // By position, so that redelivered messages take no more room while the database is unavailable.
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
