import * as v from 'valibot';
import { messageOf } from '../../../model/errors.ts';
import { createApprovals } from './approvals.ts';
import type { Connect } from './connect.ts';
import { createObserver, type Observer } from './observer.ts';
import { type ClientInfo, connectPeer, type Peer } from './peer.ts';
import type { ObserverParts } from './thread-observer.ts';
import { asksApproval, PARAMS, read } from './wire.ts';

interface JoinParts extends Omit<ObserverParts, 'ask'> {
  readonly client: ClientInfo;
  readonly signal: AbortSignal;
  /** Resolves after a time, or at once when the signal says so. */
  wait(ms: number): Promise<void>;
  /** The state of the connection, for the user. */
  say(line: string): void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/** How long to wait before the next try, after so many that failed. */
export function backoff(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
}

/**
 * Joins a server that others use too, for as long as the signal lets it, through restarts and updates of that server.
 * A request is answered only when Hookline decides it; all others are left to the users of the other clients.
 */
export async function join(connect: Connect, parts: JoinParts): Promise<void> {
  let peer: Peer | null = null;
  const observer = createObserver({
    ...parts,
    ask: async (method, params) => {
      if (peer === null) throw new Error('not connected');
      return await peer.ask(method, params);
    },
  });
  const approvals = createApprovals(observer.decide);
  let failures = 0;
  while (!parts.signal.aborted) {
    try {
      const visit = createVisit(observer, parts);
      const present = await connectPeer(connect, parts.client, {
        notification: (method, params) => {
          if (method === 'serverRequest/resolved')
            approvals.resolved(read(PARAMS.resolved, params)?.requestId);
          observer.notification(method, params);
          visit.notification(method, params);
        },
        request: (request) => {
          // What is not an approval is for the client that offered to do it.
          if (!asksApproval(request.method)) return;
          void approvals.take(request, (result) => {
            if (result !== null) present.answer(request.id, result);
          });
        },
      });
      peer = present;
      failures = 0;
      parts.say('joined');
      const leave = () => present.close();
      parts.signal.addEventListener('abort', leave, { once: true });
      if (parts.signal.aborted) leave();
      visit.begin(present);
      const why = await present.closed;
      parts.signal.removeEventListener('abort', leave);
      if (!parts.signal.aborted) parts.say(`lost: ${why}`);
    } catch (error) {
      if (failures === 0) parts.say(`no connection: ${messageOf(error)}`);
    }
    peer = null;
    approvals.reconnected();
    if (!parts.signal.aborted) await parts.wait(backoff(failures));
    failures += 1;
  }
  await observer.settled();
}

interface Visit {
  begin(peer: Peer): void;
  notification(method: string, params: unknown): void;
}

/**
 * Listens to threads only while a turn goes on. A thread with a listener stays loaded forever, and its session never ends
 * (0.166.0); one that has had no turn yet cannot be listened to (openai/codex#43053). The server tells all clients when a
 * thread gets busy.
 */
function createVisit(observer: Observer, { problem }: JoinParts): Visit {
  const joined = new Set<string>();
  let peer: Peer | null = null;

  async function listen(threadId: string): Promise<void> {
    if (peer === null || joined.has(threadId)) return;
    joined.add(threadId);
    try {
      const thread = await observer.thread(threadId);
      if (thread?.ephemeral) return;
      await peer.ask('thread/resume', { threadId, excludeTurns: true });
    } catch (error) {
      joined.delete(threadId);
      problem(`thread ${threadId} was not joined: ${messageOf(error)}`);
    }
  }

  async function leave(threadId: string): Promise<void> {
    if (!joined.delete(threadId)) return;
    await peer?.ask('thread/unsubscribe', { threadId }).catch(() => {});
  }

  /** Threads that were busy before we came. */
  async function lookAround(present: Peer): Promise<void> {
    const answer = await present.ask('thread/loaded/list', {}).catch(() => null);
    for (const threadId of read(loadedThreads, answer)?.data ?? []) {
      const thread = await present.ask('thread/read', { threadId }).catch(() => null);
      if (read(busyThread, thread)) await listen(threadId);
    }
  }

  return {
    begin: (present) => {
      peer = present;
      void lookAround(present);
    },
    notification: (method, params) => {
      if (method === 'thread/status/changed') {
        const said = read(PARAMS.status, params);
        if (said?.status.type === 'active') void listen(said.threadId);
      }
      const over = method === 'turn/completed' ? read(PARAMS.turn, params) : null;
      if (over) void leave(over.threadId);
    },
  };
}

const loadedThreads = v.looseObject({ data: v.array(v.string()) });
const busyThread = v.looseObject({
  thread: v.looseObject({ status: v.looseObject({ type: v.literal('active') }) }),
});
