import { type Item, itemsOf, startOf } from './calls.ts';
import type { EventBrief } from './event-brief.ts';

/** Events of one prompt, and those before the first. */
export interface Turn {
  readonly number: number;
  readonly prompt: string | null;
  readonly at: number;
  readonly items: readonly Item[];
}

export function turnsOf(events: readonly EventBrief[], now: number): readonly Turn[] {
  const turns = new Map<number, { prompt: EventBrief | null; items: Item[] }>();
  for (const item of itemsOf(events, now)) {
    const first = item.kind === 'call' ? item.call.events[0] : item.event;
    const number = first?.promptNumber ?? 0;
    const turn = turns.get(number) ?? { prompt: null, items: [] };
    turns.set(number, turn);
    const isPrompt =
      item.kind === 'event' && item.event.type === 'before_agent' && item.event.agentId === null;
    if (isPrompt && turn.prompt === null) turn.prompt = item.event;
    else turn.items.push(item);
  }
  return [...turns]
    .sort(([a], [b]) => a - b)
    .map(([number, { prompt, items }]) => {
      const [first] = items;
      const at = prompt?.timestamp ?? (first ? startOf(first) : 0);
      return { number, prompt: prompt?.subject ?? null, at, items };
    });
}
