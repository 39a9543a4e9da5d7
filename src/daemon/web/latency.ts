import type { Database } from '../../store/database/driver.ts';
import type { LatencyView } from './shapes.ts';

const MINUTE = 60_000;
export const RANGES = { '1h': 60 * MINUTE, '24h': 24 * 60 * MINUTE, '14d': 14 * 24 * 60 * MINUTE } as const;
export type Range = keyof typeof RANGES;

const BUCKETS = 48;
/** Enough for every percentile, and quick to read. */
const MOST_CALLS = 20_000;
/** Upper ends of the bars, in ms. */
const BARS = [0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20, 30, Number.POSITIVE_INFINITY] as const;
const SLOWEST = 5;

interface Taken {
  readonly id: string;
  readonly at: number;
  readonly ms: number;
  readonly source: string;
  readonly type: string;
}

/** Latency of calls over time, without the time that users took to answer. */
export function latencyView(db: Database, range: Range, now: number): LatencyView {
  const from = now - RANGES[range];
  const taken = newestCalls(db, from);
  const width = RANGES[range] / BUCKETS;
  const buckets = Array.from({ length: BUCKETS }, (): number[] => []);
  for (const { at, ms } of taken) buckets[Math.min(BUCKETS - 1, Math.floor((at - from) / width))]?.push(ms);
  const all = taken.map(({ ms }) => ms).sort(ascending);
  return {
    range,
    from,
    to: now,
    calls: taken.length,
    cut: taken.length === MOST_CALLS,
    p50: shareOf(all, 0.5),
    p95: shareOf(all, 0.95),
    buckets: buckets.map((some, at) => {
      const sorted = some.sort(ascending);
      return { at: from + at * width, p50: shareOf(sorted, 0.5), p95: shareOf(sorted, 0.95) };
    }),
    bars: BARS.map((upTo, at) => ({
      upTo: Number.isFinite(upTo) ? upTo : null,
      calls: all.filter((ms) => ms <= upTo && ms > (BARS[at - 1] ?? -1)).length,
    })),
    slowest: [...taken].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST),
  };
}

const ascending = (a: number, b: number): number => a - b;

function shareOf(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

function newestCalls(db: Database, from: number): readonly Taken[] {
  return db
    .prepare(
      `SELECT id, timestamp, source, type, max(0, latency_ms - coalesce(
         (SELECT sum(a.settled_at - a.created_at) FROM approvals a WHERE a.event_id = e.id), 0)) AS ms
       FROM (SELECT id, timestamp, source, type, latency_ms FROM events ORDER BY row DESC LIMIT ?) e
       WHERE timestamp >= ?`,
    )
    .all(MOST_CALLS, from)
    .map((row) => ({
      id: String(row.id),
      at: Number(row.timestamp),
      ms: Number(row.ms),
      source: String(row.source),
      type: String(row.type),
    }));
}
