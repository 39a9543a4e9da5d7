import { idToday } from '../rules/gone.ts';
import type { Database } from '../store/database/driver.ts';
import type { StatsFilter } from './stats.ts';

/** How many prompts one rule caused and saved. */
export interface RulePrompts {
  readonly rule: string;
  /** Approvals that it required. */
  readonly asked: number;
  /** Approvals that a person allowed, which overruled the rule. */
  readonly allowed: number;
  readonly refused: number;
  /** Approvals that the agent didn't need, because the rule allowed the call. */
  readonly saved: number;
}

/** By rule, most overruled first. Grants count as the rule `grants`. */
export function readRulePrompts(db: Database, filter: StatsFilter): RulePrompts[] {
  const found = new Map<string, { asked: number; allowed: number; refused: number; saved: number }>();
  const listed = filter.rows && JSON.stringify(filter.rows);
  for (const sql of [ASKED_HERE, ASKED_BY_AGENT, SAVED]) {
    const rows = db
      .prepare(sql)
      .all(
        filter.since ?? 0,
        ...[filter.until, filter.session, filter.source, filter.project, listed].flatMap((value) => [
          value ?? null,
          value ?? null,
        ]),
      );
    for (const row of rows) {
      const name = idToday(String(row.rule));
      const entry = found.get(name) ?? { asked: 0, allowed: 0, refused: 0, saved: 0 };
      entry.asked += Number(row.asked);
      entry.allowed += Number(row.allowed);
      entry.refused += Number(row.refused);
      entry.saved += Number(row.saved);
      found.set(name, entry);
    }
  }
  return [...found]
    .map(([rule, counts]) => ({ rule, ...counts }))
    .sort((a, b) => b.allowed - a.allowed || b.asked - a.asked || b.saved - a.saved);
}

const ASKED_HERE = `
  SELECT j.value AS rule, count(*) AS asked, sum(a.state = 'allowed') AS allowed, sum(a.state = 'denied') AS refused,
    0 AS saved
  FROM approvals a, json_each(a.approval, '$.rules') j
  WHERE a.created_at >= ? AND (? IS NULL OR a.created_at < ?) AND (? IS NULL OR a.session_id = ?)
    AND (? IS NULL OR a.source = ?)
    AND (? IS NULL OR json_extract(a.approval, '$.projectId') = ?)
    AND (? IS NULL OR a.event_id IN (SELECT e.id FROM events e WHERE e.row IN (SELECT value FROM json_each(?))))
  GROUP BY j.value`;

const CALLS = `
  FROM events x
  LEFT JOIN json_each(CASE WHEN x.rules = '[]' THEN '["grants"]' ELSE x.rules END) j
  WHERE x.timestamp >= ? AND (? IS NULL OR x.timestamp < ?) AND (? IS NULL OR x.session_id = ?)
    AND (? IS NULL OR x.source = ?) AND (? IS NULL OR x.project_id = ?)
    AND (? IS NULL OR x.row IN (SELECT value FROM json_each(?)))
    AND x.type IN ('before_tool', 'permission_request')
    AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.event_id = x.id)`;

/** A call may be asked about twice, before it runs and in its dialog, but counts once. */
const ONCE = 'count(DISTINCT coalesce(x.tool_use_id, x.id))';

/** A call that ran was allowed by a person. */
const ASKED_BY_AGENT = `
  SELECT j.value AS rule, ${ONCE} AS asked,
    count(DISTINCT CASE WHEN x.outcome IN ('ok', 'failed') THEN coalesce(x.tool_use_id, x.id) END) AS allowed,
    count(DISTINCT CASE WHEN x.outcome = 'denied' THEN coalesce(x.tool_use_id, x.id) END) AS refused,
    0 AS saved
  ${CALLS} AND x.decision = 'ask' AND x.rules <> '[]' GROUP BY j.value`;

const SAVED = `
  SELECT j.value AS rule, 0 AS asked, 0 AS allowed, 0 AS refused, ${ONCE} AS saved
  ${CALLS} AND x.decision = 'allow' GROUP BY j.value`;
