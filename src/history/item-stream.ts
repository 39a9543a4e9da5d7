import { type Call, callKey, type Item, itemsOf } from './calls.ts';
import type { EventBrief } from './event-brief.ts';
import { isStory } from './row.ts';

/** More calls than are under way at once. */
const REMEMBERED = 200;

interface Shown {
  readonly events: readonly EventBrief[];
  /** What was said of the call; null while nothing was. */
  readonly words: string | null;
}

/**
 * Items as they happen, for surfaces that cannot change what they have printed: each call once, when it is known what
 * became of it, at the time of that. It is shown again only when that was wrong, as of a denied call that ran.
 */
export function createItemStream(): (event: EventBrief) => readonly Item[] {
  const calls = new Map<string, Shown>();
  const settle = (key: string, shown: Shown, later: EventBrief | null): Item[] => {
    const call = callIn(later ? [...shown.events, later] : shown.events);
    const isOpen = call === null || call.outcome === 'running' || call.outcome === 'waiting';
    if (isOpen || call.words === shown.words) return [];
    calls.set(key, { events: shown.events, words: call.words });
    const at = (later ?? shown.events.at(-1))?.timestamp ?? call.start;
    return [{ kind: 'call', call: { ...call, start: at } }];
  };
  return (event) => {
    const key = callKey(event);
    if (key === null) {
      const ended = [...calls].flatMap(([own, shown]) =>
        shown.words === null ? settle(own, shown, event) : [],
      );
      const item: Item = { kind: 'event', event };
      return isStory(item) ? [...ended, item] : ended;
    }
    const before = calls.get(key);
    const shown = { events: [...(before?.events ?? []), event], words: before?.words ?? null };
    calls.set(key, shown);
    const [oldest] = calls.keys();
    if (calls.size > REMEMBERED && oldest !== undefined) calls.delete(oldest);
    return settle(key, shown, null);
  };
}

function callIn(events: readonly EventBrief[]): Call | null {
  const latest = Math.max(...events.map(({ timestamp }) => timestamp));
  const item = itemsOf(events, latest).find(({ kind }) => kind === 'call');
  return item?.kind === 'call' ? item.call : null;
}
