import { type Call, callKey, type Item, itemsOf } from './calls.ts';
import type { EventBrief } from './event-brief.ts';
import { isStory } from './row.ts';

/** More calls than are under way at once. */
const REMEMBERED = 200;

interface Told {
  readonly events: readonly EventBrief[];
  /** What was said of the call; null while nothing was. */
  readonly words: string | null;
}

/**
 * Items as they happen, for surfaces that cannot change what they have printed: each call once, when it is known what
 * became of it, at the time of that. It is told again only when that was wrong, as of a denied call that ran.
 */
export function createItemStream(): (event: EventBrief) => readonly Item[] {
  const calls = new Map<string, Told>();
  const settle = (key: string, told: Told, later: EventBrief | null): Item[] => {
    const call = callIn(later ? [...told.events, later] : told.events);
    const isOpen = call === null || call.outcome === 'running' || call.outcome === 'waiting';
    if (isOpen || call.words === told.words) return [];
    calls.set(key, { events: told.events, words: call.words });
    const at = (later ?? told.events.at(-1))?.timestamp ?? call.start;
    return [{ kind: 'call', call: { ...call, start: at } }];
  };
  return (event) => {
    const key = callKey(event);
    if (key === null) {
      const ended = [...calls].flatMap(([own, told]) =>
        told.words === null ? settle(own, told, event) : [],
      );
      const item: Item = { kind: 'event', event };
      return isStory(item) ? [...ended, item] : ended;
    }
    const before = calls.get(key);
    const told = { events: [...(before?.events ?? []), event], words: before?.words ?? null };
    calls.set(key, told);
    const [oldest] = calls.keys();
    if (calls.size > REMEMBERED && oldest !== undefined) calls.delete(oldest);
    return settle(key, told, null);
  };
}

function callIn(events: readonly EventBrief[]): Call | null {
  const latest = Math.max(...events.map(({ timestamp }) => timestamp));
  const item = itemsOf(events, latest).find(({ kind }) => kind === 'call');
  return item?.kind === 'call' ? item.call : null;
}
