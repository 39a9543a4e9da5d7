import { appendFileSync } from 'node:fs';
import type { FileAppend, NativeAnswer } from '../agents/agent.ts';
import { createEngine } from '../engine/create.ts';
import { type Call, handle } from '../engine/handle.ts';
import { describeProblem } from '../forwarder/payload.ts';
import { FIRST_REPLY_MS, type Reply, type Request } from '../forwarder/protocol.ts';
import { HooklineError } from '../model/errors.ts';
import { createMemoryHandler } from '../store/memory-handler.ts';
import { findEvent } from '../store/queries.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { createFeed, type Feed } from './feed.ts';
import type { OpenHome } from './open-home.ts';
import { openPeople, type People } from './people.ts';

/** The engine behind every transport of the daemon. */
export interface Hub {
  /** Every call once it is stored, as it was stored: what observers see has been redacted. */
  readonly feed: Feed<StoredEvent>;
  /** Judges a call; what it returns has been recorded. */
  call(call: Call): Promise<NativeAnswer>;
  /** The same for a request line; failures become an error reply, on which the forwarder falls back. */
  request(request: Request, hold: (ms: number) => void): Promise<Reply>;
  /** Who can be asked. */
  readonly people: People;
  /** The other end of a call has gone: nobody waits for its answer. */
  abandon(requestId: string): void;
  /** Takes in the spool and tells observers of it. Says how many calls there were. */
  ingest(): number;
}

export function createHub(home: OpenHome): Hub {
  const people = openPeople(home);
  const { memory } = home.config;
  const engine = createEngine({
    ...home,
    approver: people.approver,
    hookLog: (hook, text) => home.log('info', text, { hook }),
    memory: people.memory,
    handlers: [...(memory.on ? [createMemoryHandler(home.db, memory.tokens)] : []), people.gates.handler],
  });
  const feed = createFeed<StoredEvent>();
  // Every listener costs each call a look into the store: one that has nobody to tell does not listen.
  if (home.config.notify.on.length > 0 && people.notifier.reaches) feed.subscribe(people.notifier.event);

  /** Runs outside of any call, so nobody else would catch what goes wrong here. */
  function tellObservers(id: string): void {
    if (feed.size() === 0) return;
    try {
      const stored = findEvent(home.db, id);
      if (stored) feed.publish(stored);
    } catch (error) {
      home.log('error', `observers were not told: ${messageOf(error)}`, { id });
    }
  }

  /** The call is on record and has its answer: a file that cannot be written must not cost the agent that too. */
  function append({ path, text }: FileAppend, id: string): void {
    try {
      appendFileSync(path, text);
    } catch (error) {
      home.log('error', `variables could not be written: ${messageOf(error)}`, { path, id });
    }
  }

  async function call(given: Call): Promise<NativeAnswer> {
    const { answer, appends, record } = await handle(given, engine);
    for (const one of appends) append(one, given.id);
    // Observers come after the answer.
    setImmediate(tellObservers, record.event.id);
    home.observing.note();
    return answer;
  }

  async function request(
    { call: given, problem, bytes }: Request,
    hold: (ms: number) => void,
  ): Promise<Reply> {
    const { id, agent } = given;
    // Whoever asked has given up and judged the call itself: it comes through the spool.
    if (isLate(given.receivedAt)) {
      return { request_id: id, ts: Date.now(), error: { code: 'LATE', message: 'The call came too late.' } };
    }
    try {
      const described = problem === null ? given : { ...given, problem: describeProblem(problem, bytes) };
      return { request_id: id, ts: Date.now(), payload: await call({ ...described, hold }) };
    } catch (error) {
      const code = error instanceof HooklineError ? error.code : 'INTERNAL';
      const message = messageOf(error);
      home.log('error', message, { code, requestId: id, agent });
      return { request_id: id, ts: Date.now(), error: { code, message } };
    }
  }

  function ingest(): number {
    const ids = home.ingest();
    if (ids.length > 0) home.observing.note();
    for (const id of ids) tellObservers(id);
    return ids.length;
  }

  const abandon = (id: string) => people.desk.withdraw(({ eventId }) => eventId === id, 'the agent hung up');

  return { feed, people, call, request, abandon, ingest };
}

/** A time that is no time in ms, as some senders write, says nothing. */
function isLate(sentAt: number): boolean {
  return sentAt > 1e12 && Date.now() - sentAt > FIRST_REPLY_MS;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
