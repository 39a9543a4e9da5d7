import * as v from 'valibot';
import { idToday } from '../rules/gone.ts';
import type { Database, SqlValue } from '../store/database/driver.ts';
import { conditions, whereClause } from '../store/read/conditions.ts';
import { type RulePrompts, readRulePrompts } from './rule-prompts.ts';

export interface StatsFilter {
  readonly since?: number;
  readonly until?: number;
  readonly source?: string;
  readonly project?: string;
  readonly session?: string;
  /** Limits the events to these rows. */
  readonly rows?: readonly number[];
  /** Maximum length of lists. */
  readonly limit?: number;
}

interface Count {
  readonly name: string;
  readonly n: number;
}

/** Statistics, for users and scripts alike. */
export interface Stats {
  readonly events: number;
  readonly sessions: number;
  readonly prompts: number;
  readonly tools: readonly (Count & { readonly failed: number })[];
  readonly files: readonly Count[];
  readonly failures: readonly Count[];
  readonly denials: readonly Count[];
  /** How long approvals were pending. */
  readonly approvals: { readonly n: number; readonly medianMs: number | null };
  /** Hookline's own cost per call. */
  readonly hookMs: {
    readonly median: number | null;
    readonly p95: number | null;
    readonly max: number | null;
    readonly total: number;
  };
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly reasoning: number;
    /** Null if no client reported any. */
    readonly costUsd: number | null;
  };
  /** Calls in transcripts that no hook reported. */
  readonly gaps: number;
  /** How many prompts rules caused and saved. */
  readonly peace: readonly RulePrompts[];
  readonly perDay: readonly Count[];
  readonly perAgent: readonly Count[];
}

const MOST = 12;

export function readStats(db: Database, filter: StatsFilter): Stats {
  const { limit: most = MOST } = filter;
  const { where, parameters } = filtered(filter, 'row');
  const observations = filtered(filter, 'event_row').where;
  const rows = (sql: string) => db.prepare(sql).all(...parameters);
  const counts = (sql: string): Count[] =>
    rows(sql).map((row) => ({ name: String(row.name), n: Number(row.n) }));
  const observed = (terms: string, name: string) =>
    counts(
      `SELECT ${name} AS name, count(*) AS n FROM observations x WHERE ${observations} AND ${terms}
       GROUP BY name ORDER BY n DESC, name LIMIT ${most}`,
    );
  const total = (table: string, what: string) =>
    Number(db.prepare(`SELECT ${what} AS n FROM ${table} x WHERE ${where}`).get(...parameters)?.n ?? 0);
  return {
    events: total('events', 'count(*)'),
    sessions: total('events', "count(DISTINCT source || ' ' || session_id)"),
    prompts: observed("x.kind = 'intent'", "'all'")[0]?.n ?? 0,
    tools: rows(
      `SELECT tool_name AS name, count(*) AS n, sum(outcome = 'failed') AS failed FROM events x
       WHERE ${where} AND type = 'after_tool' GROUP BY tool_name ORDER BY n DESC, name LIMIT ${most}`,
    ).map((row) => ({ name: String(row.name), n: Number(row.n), failed: Number(row.failed) })),
    files: observed("x.kind = 'file' AND x.action <> 'read'", 'subject'),
    failures: observed("x.kind = 'error'", "subject || ': ' || substr(body, 1, 80)"),
    denials: denials(db, observations, parameters, most),
    approvals: approvals(db, filter),
    hookMs: hookMs(db, where, parameters),
    ...tokens(db, filter),
    peace: readRulePrompts(db, filter),
    perDay: counts(
      `SELECT date(timestamp / 1000, 'unixepoch') AS name, count(*) AS n FROM events x WHERE ${where}
       GROUP BY name ORDER BY name DESC LIMIT 14`,
    ).reverse(),
    perAgent: counts(
      `SELECT source AS name, count(*) AS n FROM events x WHERE ${where} GROUP BY source ORDER BY n DESC, name`,
    ),
  };
}

/** By denier: a denial without a rule or hook is the agent's own. */
function denials(db: Database, where: string, parameters: readonly SqlValue[], most: number): Count[] {
  const found = new Map<string, number>();
  const rows = db
    .prepare(
      `SELECT coalesce(j.value, 'the agent itself') AS name, count(*) AS n
       FROM observations x LEFT JOIN json_each(x.detail, '$.by') j
       WHERE ${where} AND x.kind = 'permission' AND x.action IN ('deny', 'denied')
       GROUP BY name ORDER BY n DESC, name`,
    )
    .all(...parameters);
  for (const row of rows) {
    const name = idToday(String(row.name));
    found.set(name, (found.get(name) ?? 0) + Number(row.n));
  }
  const counts = [...found].map(([name, n]) => ({ name, n }));
  return counts.sort((a, b) => b.n - a.n).slice(0, most);
}

/** From the approval to its answer. */
function approvals(db: Database, filter: StatsFilter): Stats['approvals'] {
  const { terms, parameters } = conditions(
    ['created_at >= ?', filter.since],
    ['created_at < ?', filter.until],
    ['source = ?', filter.source],
    ['session_id = ?', filter.session],
    [`json_extract(approval, '$.projectId') = ?`, filter.project],
    [`event_id IN (SELECT e.id FROM events e WHERE e.row IN ${LISTED})`, listed(filter)],
  );
  const waited = db
    .prepare(
      `SELECT settled_at - created_at AS ms FROM approvals
       WHERE ${['settled_at IS NOT NULL', ...terms].join(' AND ')} ORDER BY ms`,
    )
    .all(...parameters)
    .map((row) => Number(row.ms));
  return { n: waited.length, medianMs: waited[Math.floor(waited.length / 2)] ?? null };
}

/** A person's answering time isn't Hookline's cost. */
const OWN_MS = `max(0, x.latency_ms - coalesce(
  (SELECT sum(a.settled_at - a.created_at) FROM approvals a WHERE a.event_id = x.id), 0))`;

function hookMs(db: Database, where: string, parameters: readonly SqlValue[]): Stats['hookMs'] {
  const sums = db
    .prepare(
      `SELECT count(*) AS n, sum(${OWN_MS}) AS total, max(${OWN_MS}) AS most FROM events x WHERE ${where}`,
    )
    .get(...parameters);
  const n = Number(sums?.n ?? 0);
  const at = (share: number) => {
    const row = db
      .prepare(`SELECT ${OWN_MS} AS ms FROM events x WHERE ${where} ORDER BY ms LIMIT 1 OFFSET ?`)
      .get(...parameters, Math.floor(n * share));
    return row === undefined ? null : Number(row.ms);
  };
  return {
    median: at(0.5),
    p95: at(0.95),
    max: sums?.most == null ? null : Number(sums.most),
    total: Number(sums?.total ?? 0),
  };
}

const sums = v.object({
  input: v.nullable(v.number()),
  output: v.nullable(v.number()),
  cache_read: v.nullable(v.number()),
  cache_write: v.nullable(v.number()),
  reasoning: v.nullable(v.number()),
  cost: v.nullable(v.number()),
  gaps: v.nullable(v.number()),
});

function tokens(db: Database, filter: StatsFilter): Pick<Stats, 'tokens' | 'gaps'> {
  const given = conditions(
    ['s.last_at >= ?', filter.since],
    ['s.started_at < ?', filter.until],
    ['s.session_id = ?', filter.session],
    ['s.source = ?', filter.source],
    ['s.project_id = ?', filter.project],
    [
      `EXISTS (SELECT 1 FROM events e WHERE e.session_id = s.session_id AND e.source = s.source AND e.row IN ${LISTED})`,
      listed(filter),
    ],
  );
  const row = v.parse(
    sums,
    db
      .prepare(
        `SELECT sum(input_tokens) AS input, sum(output_tokens) AS output, sum(cache_read_tokens) AS cache_read,
           sum(cache_write_tokens) AS cache_write, sum(reasoning_tokens) AS reasoning, sum(cost_usd) AS cost,
           sum(json_array_length(gaps)) AS gaps
         FROM transcripts t JOIN sessions s ON s.source = t.source AND s.session_id = t.session_id
         ${whereClause(given)}`,
      )
      .get(...given.parameters),
  );
  return {
    tokens: {
      input: row.input ?? 0,
      output: row.output ?? 0,
      cacheRead: row.cache_read ?? 0,
      cacheWrite: row.cache_write ?? 0,
      reasoning: row.reasoning ?? 0,
      costUsd: row.cost,
    },
    gaps: row.gaps ?? 0,
  };
}

/** Rows as one parameter, regardless of their number. */
const LISTED = '(SELECT value FROM json_each(?))';
const listed = ({ rows }: StatsFilter) => (rows === undefined ? undefined : JSON.stringify(rows));

/** `row`: the column with the row of an event. */
function filtered(
  filter: StatsFilter,
  row: 'row' | 'event_row',
): { where: string; parameters: readonly SqlValue[] } {
  const { terms, parameters } = conditions(
    ['x.timestamp >= ?', filter.since],
    ['x.timestamp < ?', filter.until],
    ['x.session_id = ?', filter.session],
    ['x.source = ?', filter.source],
    [
      `EXISTS (SELECT 1 FROM sessions s WHERE s.source = x.source AND s.session_id = x.session_id AND s.project_id = ?)`,
      filter.project,
    ],
    [`x.${row} IN ${LISTED}`, listed(filter)],
  );
  return { where: ['true', ...terms].join(' AND '), parameters };
}
