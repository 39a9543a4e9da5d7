import * as v from 'valibot';
import { readIfExists, writePrivateFile } from '../platform/files.ts';
import { type AgentReport, isBroken } from './report.ts';

const row = v.object({
  kind: v.picklist(['run', 'payload', 'effect', 'failure', 'rule']),
  name: v.string(),
  state: v.picklist(['holds', 'changed', 'broken', 'untried']),
  expected: v.string(),
  seen: v.string(),
});

const kept = v.object({
  agent: v.string(),
  label: v.string(),
  version: v.nullable(v.string()),
  rows: v.array(row),
  tookMs: v.number(),
  /** In ms since the epoch. */
  checkedAt: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15)),
});

/** What was found out about an agent, and when. */
export type StoredReport = AgentReport & { readonly checkedAt: number };

const file = v.pipe(v.string(), v.parseJson(), v.record(v.string(), kept));

/** The last report about each agent; none where there is no file, or none that can be read: checking again makes another. */
export function readReports(path: string): ReadonlyMap<string, StoredReport> {
  const parsed = v.safeParse(file, readIfExists(path) ?? '{}');
  const reports = Object.entries(parsed.success ? parsed.output : {});
  return new Map(reports.filter(([agent, report]) => report.agent === agent));
}

/** Whether it shows that guards work: something of them was tried, and nothing is broken. */
export function isVerified(report: StoredReport): boolean {
  const isTried = report.rows.some(({ kind, state }) => kind === 'effect' && state !== 'untried');
  return isTried && !isBroken(report);
}

/** Keeps a report in the place of the last one about its agent. */
export function storeReport(path: string, report: AgentReport, checkedAt: number): void {
  const reports = new Map(readReports(path)).set(report.agent, { ...report, checkedAt });
  writePrivateFile(path, `${JSON.stringify(Object.fromEntries(reports), null, 1)}\n`);
}
