/** Starts calls that arrive close together in one turn, so that they share a check of the files and a transaction. */
export interface Turns<Source> {
  add(from: Source, start: () => void): void;
  /** Something arrived that may bring more calls. */
  noteActivity(): void;
}

interface TurnOptions {
  /** Whether others may be about to ask as well. */
  readonly hasOthers?: () => boolean;
  /** Around the start of all that begins in one turn. */
  readonly around?: (startAll: () => void) => void;
  readonly now?: () => number;
  /** When the event loop has come round once more. */
  readonly nextRound?: (callback: () => void) => void;
  /** When what is running now has ended. */
  readonly soon?: (callback: () => void) => void;
}

/** More would make the first one wait for all the others. */
export const MAX_BATCH = 64;
/** Beyond this a steady stream would keep the first one waiting. */
export const SETTLE_MS = 1;

/**
 * Node takes one new connection each time the event loop comes round, so callers that arrive at the same time are
 * seen one after the other. We wait until a round brings nothing new. A single caller does not wait for that: on a busy
 * machine a round costs a good part of a call.
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
  /** Of the last turn: where several asked, several will ask again. */
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

/** As `queueMicrotask`, without what Node adds to that for tracing. */
function soonest(callback: () => void): void {
  void Promise.resolve().then(callback);
}

/** One of each source and round, so that a busy source doesn't hold up the others. */
function takeInTurn<Source>(queues: Map<Source, (() => void)[]>, most: number): (() => void)[] {
  const taken: (() => void)[] = [];
  for (const [source, queue] of queues) {
    if (taken.length >= most) break;
    const next = queue.shift();
    if (next) taken.push(next);
    queues.delete(source);
    // To the end of the line, where this loop comes to it again.
    if (queue.length > 0) queues.set(source, queue);
  }
  return taken;
}
