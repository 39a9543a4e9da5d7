import { setImmediate as letOthersRun } from 'node:timers/promises';
import { dayOf } from '../../model/text.ts';
import { idToday } from '../../rules/gone.ts';
import type { Database } from '../../store/database/driver.ts';

/** How often a rule contributed to an answer. */
export interface RuleHits {
  hits: number;
  lastAt: number;
  /** Ids of the newest events, oldest first. */
  readonly latest: string[];
  readonly perAgent: Map<string, { hits: number; degraded: number }>;
  /** By day, as in 2026-11-16. */
  readonly perDay: Map<string, number>;
}

/** Counts incrementally, a little at a time, because a large store must not delay a call. */
interface RuleTally {
  count(): Promise<ReadonlyMap<string, RuleHits>>;
}

const STEP = 4_000;
const MOST_LATEST = 50;

export function createRuleTally(db: Database): RuleTally {
  const found = new Map<string, RuleHits>();
  let last = 0;
  let running: Promise<void> | null = null;

  async function readOn(): Promise<void> {
    const page = db.prepare(
      `SELECT row, id, source, timestamp, rules, degraded FROM events
       WHERE row > ? AND row <= ? AND rules <> '[]' ORDER BY row`,
    );
    const newest = Number(db.prepare('SELECT max(row) AS row FROM events').get()?.row ?? 0);
    while (last < newest) {
      const to = Math.min(last + STEP, newest);
      for (const row of page.all(last, to)) {
        const rules: unknown = JSON.parse(String(row.rules));
        const hit = {
          source: String(row.source),
          id: String(row.id),
          at: Number(row.timestamp),
          degraded: row.degraded !== '[]',
        };
        const ids = (Array.isArray(rules) ? rules : []).map((rule) => idToday(String(rule)));
        for (const rule of new Set(ids)) addHit(found, rule, hit);
      }
      last = to;
      await letOthersRun();
    }
  }

  return {
    async count() {
      running ??= readOn().finally(() => {
        running = null;
      });
      await running;
      return found;
    },
  };
}

interface Hit {
  readonly source: string;
  /** Of the event. */
  readonly id: string;
  readonly at: number;
  readonly degraded: boolean;
}

function addHit(found: Map<string, RuleHits>, rule: string, { source, id, at, degraded }: Hit): void {
  let hits = found.get(rule);
  if (!hits) {
    hits = { hits: 0, lastAt: 0, latest: [], perAgent: new Map(), perDay: new Map() };
    found.set(rule, hits);
  }
  hits.hits += 1;
  hits.lastAt = at;
  hits.latest.push(id);
  if (hits.latest.length > MOST_LATEST) hits.latest.shift();
  const day = dayOf(at);
  hits.perDay.set(day, (hits.perDay.get(day) ?? 0) + 1);
  const agent = hits.perAgent.get(source) ?? { hits: 0, degraded: 0 };
  agent.hits += 1;
  if (degraded) agent.degraded += 1;
  hits.perAgent.set(source, agent);
}

/** The last days, ending today. */
export function lastDays(count: number, now: number): readonly string[] {
  // At noon, a clock change doesn't move a time to another day.
  const noon = new Date(now).setHours(12, 0, 0, 0);
  return Array.from({ length: count }, (_, at) => dayOf(noon - (count - 1 - at) * 86_400_000));
}
