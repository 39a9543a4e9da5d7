import type { Approval } from '../../approvals/approval.ts';
import { type EventBrief, toBrief } from '../../history/calls/event-brief.ts';
import { createItemStream } from '../../history/calls/item-stream.ts';
import { type Fate, hasFate } from '../../history/calls/list-calls.ts';
import { rowOf } from '../../history/calls/row.ts';
import { withWaiting } from '../../history/calls/waiting.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { rowLine } from './row-line.ts';

interface CallPrinter {
  event(event: StoredEvent): void;
  /** Approvals that are pending now. */
  waiting(pending: readonly Approval[]): void;
}

const LOOK_EVERY_MS = 500;

/**
 * Prints one row per call as events arrive. A call that is pending or slow gets a row at once and another when it ends.
 */
export function printCalls(
  fates: readonly Fate[] = [],
  write: (line: string) => void = console.log,
): CallPrinter {
  const stream = createItemStream();
  const print = (items: ReturnType<typeof stream.slow>) => {
    for (const item of items) if (fates.length === 0 || hasFate(item, fates)) write(rowLine(rowOf(item)));
  };
  const seen = new Set<string>();
  setInterval(() => print(stream.slow(Date.now())), LOOK_EVERY_MS).unref();
  const isNew = ({ id }: EventBrief) => !seen.has(id) && seen.add(id);
  return {
    event(event) {
      seen.add(event.id);
      print(stream.next(toBrief(event)));
    },
    waiting(pending) {
      for (const brief of withWaiting([], pending).filter(isNew)) print(stream.next(brief));
    },
  };
}
