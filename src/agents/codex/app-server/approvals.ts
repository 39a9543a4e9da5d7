import type { ServerRequest } from './peer.ts';
import type { RpcId } from './wire.ts';

type Result = Readonly<Record<string, unknown>>;

/** Requests for approval that wait for an answer. */
export interface Approvals {
  /** Decides a request and gives the answer, unless there is none or another client was first. */
  take(request: ServerRequest, answer: (result: Result | null) => void): Promise<void>;
  /** The request was answered. */
  resolved(id: RpcId | undefined): void;
  /** Another connection: its ids are other ids, but the requests may be the same. */
  reconnected(): void;
}

interface Pending {
  /** Aborted when Hookline's answer is no longer needed. */
  readonly abort: AbortController;
  readonly decision: Promise<Result | null>;
  /** Its id on the present connection; null when it has not come up there. */
  id: RpcId | null;
}

/** More than can wait at once; older ones were answered without notice. */
const REMEMBERED = 500;

/**
 * The server counts its ids from 0 in each process and repeats a request, under the same id, to clients that join while it
 * waits. So a request is known by its content: repeated it gets the answer it got, without being decided again, and
 * another request under an old id is another request.
 */
export function createApprovals(
  decide: (request: ServerRequest, signal: AbortSignal) => Promise<Result | null>,
): Approvals {
  const pending = new Map<string, Pending>();
  const begin = (request: ServerRequest): Pending => {
    const abort = new AbortController();
    return { abort, decision: decide(request, abort.signal), id: null };
  };
  return {
    take: async (request, answer) => {
      const content = JSON.stringify([request.method, request.params]);
      const entry = pending.get(content) ?? begin(request);
      const isRepeated = entry.id === request.id;
      entry.id = request.id;
      pending.set(content, entry);
      const [oldest] = pending.keys();
      if (pending.size > REMEMBERED && oldest !== undefined) pending.delete(oldest);
      const result = await entry.decision;
      if (!isRepeated && pending.get(content) === entry && entry.id === request.id) answer(result);
    },
    resolved: (id) => {
      for (const [content, entry] of pending) {
        if (id === undefined || entry.id !== id) continue;
        pending.delete(content);
        entry.abort.abort();
      }
    },
    reconnected: () => {
      for (const entry of pending.values()) entry.id = null;
    },
  };
}
