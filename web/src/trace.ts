import type { Call, Item } from '../../src/history/calls/calls.ts';
import { startOf } from '../../src/history/calls/calls.ts';
import type { EventBrief } from '../../src/history/calls/event-brief.ts';
import { isStory } from '../../src/history/calls/row.ts';
import { type Turn, turnsOf } from '../../src/history/calls/turns.ts';

/** Idle time longer than this is cut from the axis. */
const IDLE_MS = 120_000;

/** One line of a trace. */
export type Line =
  | { readonly kind: 'call'; readonly call: Call; readonly at: number }
  | { readonly kind: 'event'; readonly event: EventBrief; readonly at: number }
  /** Protocol events, shown by name only. */
  | {
      readonly kind: 'protocol';
      readonly key: string;
      readonly events: readonly EventBrief[];
      readonly at: number;
    }
  | { readonly kind: 'idle'; readonly key: string; readonly ms: number; readonly at: number };

export interface TraceTurn extends Omit<Turn, 'items'> {
  readonly lines: readonly Line[];
  readonly calls: number;
  readonly tookMs: number;
}

export interface Trace {
  readonly turns: readonly TraceTurn[];
  readonly calls: readonly Call[];
  readonly axis: Axis;
}

/** Time without idle time. */
export interface Axis {
  readonly totalMs: number;
  readonly idleMs: number;
  /** How far into the session a moment is, idle time left out. */
  offset(at: number): number;
  /** The same in percent. */
  x(at: number): number;
}

export function traceOf(events: readonly EventBrief[], now: number): Trace {
  const turns = turnsOf(events, now);
  const axis = axisOf(turns, now);
  let before: number | null = null;
  const shown = turns.map(({ items, ...turn }): TraceTurn => {
    const gap: Line[] =
      before !== null && turn.at - before > IDLE_MS
        ? [{ kind: 'idle', key: `idle ${turn.number}`, ms: turn.at - before, at: turn.at }]
        : [];
    const end = Math.max(turn.at, ...items.map((item) => endOf(item, now)));
    before = end;
    const calls = items.filter(({ kind }) => kind === 'call').length;
    return { ...turn, lines: [...gap, ...linesOf(items)], calls, tookMs: end - turn.at };
  });
  const calls = turns.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === 'call' ? [item.call] : [])),
  );
  return { turns: shown, calls, axis };
}

/** Merges neighboring protocol events into one line. */
function linesOf(items: readonly Item[]): readonly Line[] {
  const lines: Line[] = [];
  for (const item of items) {
    const at = startOf(item);
    if (item.kind === 'call') lines.push({ kind: 'call', call: item.call, at });
    else if (isStory(item)) lines.push({ kind: 'event', event: item.event, at });
    else {
      const last = lines.at(-1);
      if (last?.kind === 'protocol')
        lines[lines.length - 1] = { ...last, events: [...last.events, item.event] };
      else lines.push({ kind: 'protocol', key: item.event.id, events: [item.event], at });
    }
  }
  return lines;
}

function endOf(item: Item, now: number): number {
  if (item.kind === 'event') return item.event.timestamp;
  const { end, start, outcome } = item.call;
  return end ?? (outcome === 'running' || outcome === 'waiting' ? now : start);
}

function axisOf(turns: readonly Turn[], now: number): Axis {
  const spans = turns
    .flatMap(({ at, items }) => [
      [at, at] as const,
      ...items.map((item) => [startOf(item), endOf(item, now)] as const),
    ])
    .sort((a, b) => a[0] - b[0]);
  const start = spans[0]?.[0] ?? now;
  const gaps: { readonly from: number; readonly to: number }[] = [];
  let reached = start;
  for (const [from, to] of spans) {
    if (from - reached > IDLE_MS) gaps.push({ from: reached, to: from });
    reached = Math.max(reached, to);
  }
  const idleBefore = (at: number) =>
    gaps.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(at, to) - from), 0);
  const idleMs = idleBefore(reached);
  const totalMs = Math.max(1, reached - start - idleMs);
  const offset = (at: number) => Math.max(0, at - start - idleBefore(at));
  return { totalMs, idleMs, offset, x: (at) => Math.min(100, (offset(at) / totalMs) * 100) };
}
