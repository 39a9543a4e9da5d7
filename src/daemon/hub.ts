import { appendFileSync } from 'node:fs';
import type { NativeAnswer } from '../agents/agent.ts';
import { createEngine } from '../engine/create.ts';
import { type Call, handle } from '../engine/handle.ts';
import type { Reply, Request } from '../forwarder/protocol.ts';
import { HooklineError } from '../model/errors.ts';
import { findEvent } from '../store/queries.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { createFeed, type Feed } from './feed.ts';
import type { OpenHome } from './open-home.ts';

/** The engine behind every transport of the daemon. */
export interface Hub {
  /** Every call once it is stored, as it was stored: what observers see has been redacted. */
  readonly feed: Feed<StoredEvent>;
  /** Judges a call; what it returns has been recorded. */
  call(call: Call): Promise<NativeAnswer>;
  /** The same for a request line; failures become an error reply, on which the forwarder falls back. */
  request(request: Request): Promise<Reply>;
}

export function createHub(home: OpenHome): Hub {
  const engine = createEngine(home);
  const feed = createFeed<StoredEvent>();

  function tellObservers(id: string): void {
    if (feed.size() === 0) return;
    const stored = findEvent(home.db, id);
    if (stored) feed.publish(stored);
  }

  async function call(given: Call): Promise<NativeAnswer> {
    const { answer, appends, record } = await handle(given, engine);
    for (const { path, text } of appends) appendFileSync(path, text);
    // Observers come after the answer.
    setImmediate(tellObservers, record.event.id);
    return answer;
  }

  async function request(given: Request): Promise<Reply> {
    const { id, agent } = given.call;
    try {
      return { request_id: id, ts: Date.now(), payload: await call(given.call) };
    } catch (error) {
      const code = error instanceof HooklineError ? error.code : 'INTERNAL';
      const message = error instanceof Error ? error.message : String(error);
      home.log('error', message, { code, requestId: id, agent });
      return { request_id: id, ts: Date.now(), error: { code, message } };
    }
  }

  return { feed, call, request };
}
