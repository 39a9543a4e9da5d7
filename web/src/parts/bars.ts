import type { Item } from '../../../src/history/calls/calls.ts';
import type { Outcome } from '../../../src/history/calls/outcome.ts';

/** A part of a track, in percent of its width. */
export interface Bar {
  readonly key: string;
  readonly x: number;
  readonly width: number;
  readonly look: 'ran' | 'running' | 'waiting' | 'waited' | 'failed' | 'denied' | 'turn';
}

const LOOKS: Readonly<Record<Outcome, Bar['look']>> = {
  done: 'ran',
  allowed: 'ran',
  unknown: 'ran',
  running: 'running',
  waiting: 'waiting',
  failed: 'failed',
  denied: 'denied',
};
const THINNEST = 0.4;
/** Closer bars are drawn as one: they look the same, and thousands of them are slow to draw. */
const CLOSEST = 0.15;

/** Calls and prompts as bars; `xOf` returns the position of a time. */
export function barsOf(items: readonly Item[], xOf: (at: number) => number, now: number): readonly Bar[] {
  const bars: Bar[] = [];
  let last = -1;
  for (const item of items) {
    if (item.kind === 'event') {
      const { type, agentId, timestamp, id } = item.event;
      if (type === 'before_agent' && agentId === null)
        bars.push({ key: id, x: xOf(timestamp), width: 0.2, look: 'turn' });
      continue;
    }
    const { key, start, end, outcome, waitedMs } = item.call;
    const look = LOOKS[outcome];
    const from = Math.max(0, xOf(start));
    const to = Math.max(from, xOf(end ?? now));
    if (to < 0 || (look === 'ran' && waitedMs === 0 && to < last + CLOSEST)) continue;
    if (waitedMs > 0 && look !== 'denied') {
      const answered = Math.min(to, xOf(start + waitedMs));
      if (answered - from > THINNEST)
        bars.push({ key: `${key} waited`, x: from, width: answered - from, look: 'waited' });
      bars.push({ key, x: Math.max(from, answered), width: Math.max(THINNEST, to - answered), look });
    } else bars.push({ key, x: from, width: Math.max(THINNEST, to - from), look });
    last = Math.max(last, to);
  }
  // A small diamond must not be hidden by the bars around it.
  return [...bars.filter(({ look }) => look !== 'denied'), ...bars.filter(({ look }) => look === 'denied')];
}
