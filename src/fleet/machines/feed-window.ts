import type { FleetEvent } from './fleet-event.ts';

/** How often a value occurs among the kept events. */
interface FleetCount {
  readonly value: string;
  readonly count: number;
}

export interface FleetCounts {
  /** By machine ID. */
  readonly machine: readonly FleetCount[];
  readonly agent: readonly FleetCount[];
  readonly decision: readonly FleetCount[];
}

/** The newest events of all machines. */
export interface RecentEvents {
  add(event: FleetEvent): void;
  /** Oldest first. */
  after(place: number): readonly FleetEvent[];
  /** The place of the newest; 0 for none. */
  last(): number;
  size(): number;
  counts(): FleetCounts;
  clear(): void;
}

export function createRecentEvents(most: number): RecentEvents {
  let events: FleetEvent[] = [];
  return {
    add(event) {
      events.push(event);
      // Not on each event, which would move all others every time.
      if (events.length >= most * 2) events = events.slice(-most);
    },
    after: (place) => events.slice(-most).filter((event) => event.place > place),
    last: () => events.at(-1)?.place ?? 0,
    size: () => Math.min(most, events.length),
    counts() {
      const kept = events.slice(-most);
      return {
        machine: countsOf(kept.map(({ machine }) => machine)),
        agent: countsOf(kept.map(({ agent }) => agent)),
        decision: countsOf(kept.map(({ decision }) => decision)),
      };
    },
    clear() {
      events = [];
    },
  };
}

/** Most frequent first. */
function countsOf(values: readonly string[]): readonly FleetCount[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
