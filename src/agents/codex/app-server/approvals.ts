import type { ServerRequest } from './peer.ts';
import type { RpcId } from './wire.ts';

type Result = Readonly<Record<string, unknown>>;

/** Questions that wait, ours by what they ask and theirs by an id. */
export interface Approvals {
  /** Judges a question and gives the answer, unless there is none or somebody else was first. */
  take(request: ServerRequest, answer: (result: Result | null) => void): Promise<void>;
  /** Somebody has answered. */
  resolved(id: RpcId | undefined): void;
  /** Another connection: its ids are other ids, but the questions may be the same. */
  reconnected(): void;
}

interface Open {
  /** Whoever is asked on our side need not answer any more. */
  readonly over: AbortController;
  readonly judged: Promise<Result | null>;
  /** Its id on the present connection; null when it has not been put there. */
  id: RpcId | null;
}

/** More than can wait at once; older ones were answered without our being told. */
const REMEMBERED = 500;

/**
 * The server counts its ids from 0 in each process and puts a question again, under the same id, to whoever joins
 * while it waits. So a question is known by what it asks: put again it gets the answer it got, without being judged
 * again, and another question under an old id is another question.
 */
export function createApprovals(
  judge: (request: ServerRequest, signal: AbortSignal) => Promise<Result | null>,
): Approvals {
  const open = new Map<string, Open>();
  const begin = (request: ServerRequest): Open => {
    const over = new AbortController();
    return { over, judged: judge(request, over.signal), id: null };
  };
  return {
    take: async (request, answer) => {
      const asked = JSON.stringify([request.method, request.params]);
      const entry = open.get(asked) ?? begin(request);
      const again = entry.id === request.id;
      entry.id = request.id;
      open.set(asked, entry);
      const [oldest] = open.keys();
      if (open.size > REMEMBERED && oldest !== undefined) open.delete(oldest);
      const result = await entry.judged;
      if (!again && open.get(asked) === entry && entry.id === request.id) answer(result);
    },
    resolved: (id) => {
      for (const [asked, entry] of open) {
        if (id === undefined || entry.id !== id) continue;
        open.delete(asked);
        entry.over.abort();
      }
    },
    reconnected: () => {
      for (const entry of open.values()) entry.id = null;
    },
  };
}
