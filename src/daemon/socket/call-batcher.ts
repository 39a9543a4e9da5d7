/**
 * Starts calls that arrive close together in one turn of the event loop, so that they share a file check and a
 * transaction.
 */
export interface Turns<Source> {
  add(from: Source, start: () => void): void;
  /** Something arrived that may bring more calls. */
  noteActivity(): void;
}

interface TurnOptions {
  /** True if other callers may be about to ask too. */
  readonly hasOthers?: () => boolean;
  /** Wraps the start of all calls of one turn. */
  readonly around?: (startAll: () => void) => void;
  readonly now?: () => number;
  /** Runs after one more round of the event loop. */
  readonly nextRound?: (callback: () => void) => void;
  /** Runs after the current task. */
  readonly soon?: (callback: () => void) => void;
}

/** A larger batch would make the first call wait for all the others. */
export const MAX_BATCH = 64;
/** Beyond this, a steady stream would delay the first call. */
export const SETTLE_MS = 1;

/**
 * Node accepts one new connection per round of the event loop, so simultaneous callers appear one after the other.
 * This waits until a round brings nothing new. A single caller doesn't wait for that, because on a busy machine a
 * round costs a good part of a call.
 */
export function createCallBatcher<Source>({
  hasOthers = () => true,
  around = (startAll) => startAll(),
  now = () => performance.now(),
  nextRound = setImmediate,
  soon = soonest,
}: TurnOptions = {}): Turns<Source> {
  const queues = new Map<Source, (() => void)[]>();
  let waiting = 0;
  let since = 0;
  let stirred = false;
  /** Size of the last batch: if several asked, several will ask again. */
  let size = 0;

  const settle = () => {
    if (stirred && waiting < MAX_BATCH && now() - since < SETTLE_MS) {
      stirred = false;
      nextRound(settle);
      return;
    }
    startTurn();
  };

  const startTurn = () => {
    const starting = takeInTurn(queues, MAX_BATCH);
    size = starting.length;
    waiting -= size;
    since = now();
    if (waiting > 0) nextRound(settle);
    around(() => starting.forEach(begin));
  };

  return {
    add(from, start) {
      const queue = queues.get(from);
      if (queue) queue.push(start);
      else queues.set(from, [start]);
      stirred = true;
      waiting += 1;
      if (waiting > 1) return;
      since = now();
      if (size > 1 || hasOthers()) nextRound(settle);
      else soon(startTurn);
    },
    noteActivity() {
      stirred = true;
    },
  };
}

const begin = (start: () => void): void => start();

/** Like `queueMicrotask`, without Node's tracing overhead. */
function soonest(callback: () => void): void {
  void Promise.resolve().then(callback);
}

/** Takes one call per source and round, so that a busy source doesn't delay the others. */
function takeInTurn<Source>(queues: Map<Source, (() => void)[]>, most: number): (() => void)[] {
  const taken: (() => void)[] = [];
  for (const [source, queue] of queues) {
    if (taken.length >= most) break;
    const next = queue.shift();
    if (next) taken.push(next);
    queues.delete(source);
    // Moves to the end of the map, where this loop reaches it again.
    if (queue.length > 0) queues.set(source, queue);
  }
  return taken;
}
