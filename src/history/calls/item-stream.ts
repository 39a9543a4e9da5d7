import { type Call, type Item, itemsOf, keyOfCall } from './calls.ts';
import type { EventBrief } from './event-brief.ts';
import { isStory } from './row.ts';

/** More calls than run at once. */
const REMEMBERED = 200;

/** A faster call is shown once, at its end. */
const QUICK_MS = 2_000;

interface Shown {
  readonly events: readonly EventBrief[];
  /** The outcome last shown; null if none was. */
  readonly words: string | null;
  /** More events will follow. */
  readonly isOpen: boolean;
}

/**
 * Items as they happen, for surfaces that can't change what they have printed. A call is shown when its outcome is known,
 * at that time. A pending call is shown at once and again at its end, and so is one that takes long; otherwise it is
 * shown again only if the first outcome was wrong, as of a denied call that ran.
 */
interface ItemStream {
  next(event: EventBrief): readonly Item[];
  /** Calls that have become slow by now. */
  slow(now: number): readonly Item[];
}

export function createItemStream(): ItemStream {
  const calls = new Map<string, Shown>();

  const tell = (key: string, shown: Shown, call: Call, at: number): Item[] => {
    if (call.words === shown.words) return [];
    const isOpen = call.outcome === 'running' || call.outcome === 'waiting';
    calls.set(key, { events: shown.events, words: call.words, isOpen });
    return [{ kind: 'call', call: { ...call, start: at } }];
  };

  const settle = (key: string, shown: Shown, later: EventBrief | null): Item[] => {
    const call = callIn(later ? [...shown.events, later] : shown.events);
    if (call === null || call.outcome === 'running') return [];
    return tell(key, shown, call, (later ?? shown.events.at(-1))?.timestamp ?? call.start);
  };

  return {
    next(event) {
      const key = keyOfCall(event);
      if (key === null) {
        const ended = [...calls].flatMap(([own, shown]) => (shown.isOpen ? settle(own, shown, event) : []));
        const item: Item = { kind: 'event', event };
        return isStory(item) ? [...ended, item] : ended;
      }
      const before = calls.get(key);
      // The recorded event replaces the pending one.
      const others = before?.events.filter(({ id }) => id !== event.id) ?? [];
      const shown = { events: [...others, event], words: before?.words ?? null, isOpen: true };
      calls.set(key, shown);
      const [oldest] = calls.keys();
      if (calls.size > REMEMBERED && oldest !== undefined) calls.delete(oldest);
      return settle(key, shown, null);
    },
    slow: (now) =>
      [...calls].flatMap(([key, shown]) => {
        const last = shown.events.at(-1);
        if (!shown.isOpen || !last || now - last.timestamp < QUICK_MS) return [];
        const call = callIn(shown.events);
        return call?.outcome === 'running' ? tell(key, shown, call, call.start) : [];
      }),
  };
}

function callIn(events: readonly EventBrief[]): Call | null {
  const latest = Math.max(...events.map(({ timestamp }) => timestamp));
  const item = itemsOf(events, latest).find(({ kind }) => kind === 'call');
  return item?.kind === 'call' ? item.call : null;
}
