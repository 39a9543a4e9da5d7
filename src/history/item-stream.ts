import { callKey, type Item, itemsOf } from './calls.ts';
import type { EventBrief } from './event-brief.ts';
import { isStory } from './row.ts';

/**
 * Items as they happen, for surfaces that cannot change what they have printed: each call once, when it is known what
 * became of it, at the time of that.
 */
export function createItemStream(protocol = false): (event: EventBrief) => readonly Item[] {
  const open = new Map<string, readonly EventBrief[]>();
  return (event) => {
    const key = callKey(event);
    const given: Item[] = key === null ? [{ kind: 'event', event }] : [];
    if (key !== null) open.set(key, [...(open.get(key) ?? []), event]);
    const settled: Item[] = [];
    for (const [own, events] of open) {
      if (key !== null && own !== key) continue;
      const item = itemsOf(key === null ? [...events, event] : events, event.timestamp).find(
        ({ kind }) => kind === 'call',
      );
      if (item?.kind !== 'call' || item.call.outcome === 'running' || item.call.outcome === 'waiting')
        continue;
      open.delete(own);
      settled.push({ kind: 'call', call: { ...item.call, start: event.timestamp } });
    }
    return [...settled, ...given.filter((item) => protocol || isStory(item))];
  };
}
