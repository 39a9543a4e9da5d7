import { messageOf } from '../../../model/errors.ts';
import type { ServerRequest } from './peer.ts';
import { threadIdOf } from './subjects.ts';
import { type ObserverParts, ThreadObserver } from './thread-observer.ts';
import type { ThreadWire } from './wire.ts';

/** Makes calls of Hookline out of what a server sends. */
export interface Observer {
  notification(method: string, params: unknown): void;
  /** The result to answer with, or null to leave the question to others. Never rejects. */
  decide(request: ServerRequest, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>> | null>;
  /** What is known about a thread; null when the server does not tell. */
  thread(threadId: string): Promise<ThreadWire | null>;
  /** Resolves when everything so far is on record. */
  settled(): Promise<void>;
  /** The same, and open sessions end with the server, which does not say so to a client that leaves. */
  ended(): Promise<void>;
}

export function createObserver(parts: ObserverParts): Observer {
  const threads = new Map<string, ThreadObserver>();

  function threadOf(threadId: string): ThreadObserver {
    const thread = threads.get(threadId) ?? new ThreadObserver(threadId, parts);
    threads.set(threadId, thread);
    return thread;
  }

  const settled = async () => {
    await Promise.all([...threads.values()].map((thread) => thread.settled()));
  };

  return {
    notification: (method, params) => {
      const threadId = threadIdOf(params);
      if (threadId !== null) threadOf(threadId).notification(method, params);
    },
    decide: async (request, signal) => {
      try {
        // A question that names no thread is on record like any other.
        const call = await threadOf(threadIdOf(request.params) ?? '').approvalCall(request);
        // Not in the queue: an approval may take long, and other calls of the thread go on meanwhile.
        const answer = await parts.call(call, signal);
        return answer.action === 'json_output' ? answer.stdout_json : null;
      } catch (error) {
        const why = messageOf(error);
        parts.problem(`${request.method} is left to others: ${why}`);
        return null;
      }
    },
    thread: (threadId) => threadOf(threadId).info(),
    settled,
    ended: async () => {
      for (const [threadId, thread] of threads)
        if (threadId !== '') thread.notification('thread/closed', { threadId });
      await settled();
    },
  };
}
