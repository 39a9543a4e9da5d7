import { toBrief } from '../history/event-brief.ts';
import { createItemStream } from '../history/item-stream.ts';
import { type Fate, hasFate } from '../history/list-calls.ts';
import { rowOf } from '../history/row.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { rowLine } from './row-line.ts';

/** Prints one row a call as events come, when it is known what became of it. */
export function printCalls(fates: readonly Fate[] = []): (event: StoredEvent) => void {
  const stream = createItemStream();
  return (event) => {
    for (const item of stream(toBrief(event)))
      if (fates.length === 0 || hasFate(item, fates)) console.log(rowLine(rowOf(item)));
  };
}
