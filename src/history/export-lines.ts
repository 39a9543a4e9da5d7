import * as v from 'valibot';
import type { Database } from '../store/database/driver.ts';
import { toPublicEvent } from '../store/read/public-event.ts';
import { type EventFilter, listEvents, listSessions } from '../store/read/queries.ts';
import { listObservations } from './observations/stored-observation.ts';
import { summarise, summaryLine } from './sessions/summary.ts';

export interface ExportFilter {
  readonly session?: string;
  readonly source?: string;
  readonly since?: number;
}

const FORMAT = 'hookline.export/1';
const text: v.GenericSchema<unknown, string> = v.string();
const textOrNull: v.GenericSchema<unknown, string | null> = v.nullable(v.string());
const count = v.pipe(v.number(), v.integer());
const time = v.pipe(v.string(), v.isoTimestamp());
const loose = v.record(v.string(), v.unknown());

const common = { format: v.literal(FORMAT), source: text, sessionId: text };

/**
 * One line of `hookline export`. Fields are added, never changed; the schema in docs/ is made from this.
 * @internal for tests, which compare what is exported with it
 */
export const exportLine = v.variant('line', [
  v.object({
    line: v.literal('session'),
    ...common,
    startedAt: time,
    lastAt: time,
    endedAt: v.nullable(time),
    cwd: textOrNull,
    projectId: textOrNull,
    summary: text,
  }),
  v.object({
    line: v.literal('event'),
    ...common,
    id: text,
    type: text,
    sequence: count,
    promptNumber: count,
    toolNumber: count,
    timestamp: time,
    receivedAt: time,
    tool: v.nullable(v.object({ name: text, useId: textOrNull, input: loose, outcome: textOrNull })),
    response: v.intersect([v.object({ decision: v.picklist(['none', 'allow', 'deny', 'ask']) }), loose]),
    degraded: v.array(v.object({ effect: text, reason: text })),
    rules: v.array(text),
    latencyMs: v.number(),
    answeredBy: textOrNull,
    problem: textOrNull,
  }),
  v.object({
    line: v.literal('observation'),
    ...common,
    eventId: text,
    timestamp: time,
    promptNumber: count,
    toolNumber: count,
    agentId: textOrNull,
    observation: v.intersect([v.object({ kind: text }), loose]),
  }),
]);

const PAGE = 500;

/** Sessions, then events, then observations, each oldest first; read in pages, so that any amount can be had. */
export function* exportLines(db: Database, filter: ExportFilter): Generator<object> {
  yield* sessionLines(db, filter);
  yield* eventLines(db, filter);
  yield* observationLines(db, filter);
}

function* sessionLines(db: Database, filter: ExportFilter): Generator<object> {
  const sessions = listSessions(db, filter.source === undefined ? { own: true } : { source: filter.source });
  for (const one of [...sessions].reverse()) {
    if (!isRecent(one.lastAt, filter)) continue;
    if (filter.session !== undefined && one.sessionId !== filter.session) continue;
    yield {
      line: 'session',
      format: FORMAT,
      source: one.source,
      sessionId: one.sessionId,
      startedAt: iso(one.startedAt),
      lastAt: iso(one.lastAt),
      endedAt: one.endedAt === null ? null : iso(one.endedAt),
      cwd: one.cwd,
      projectId: one.projectId,
      summary: summaryLine(summarise(db, one)),
    };
  }
}

function* eventLines(db: Database, filter: ExportFilter): Generator<object> {
  for (const event of paged((afterRow) => listEvents(db, { ...pageOf(filter), afterRow, limit: PAGE }))) {
    if (isRecent(event.timestamp, filter)) yield { line: 'event', format: FORMAT, ...toPublicEvent(event) };
  }
}

function* observationLines(db: Database, filter: ExportFilter): Generator<object> {
  const all = paged((afterRow) => listObservations(db, { ...pageOf(filter), afterRow, limit: PAGE }));
  for (const one of all) {
    if (!isRecent(one.timestamp, filter)) continue;
    yield {
      line: 'observation',
      format: FORMAT,
      source: one.source,
      sessionId: one.sessionId,
      eventId: one.eventId,
      timestamp: iso(one.timestamp),
      promptNumber: one.promptNumber,
      toolNumber: one.toolNumber,
      agentId: one.agentId,
      observation: one.observation,
    };
  }
}

function* paged<T extends { readonly row: number }>(
  pageAfter: (row: number) => readonly T[],
): Generator<T, void, undefined> {
  for (let afterRow = 0; ; ) {
    const page = pageAfter(afterRow);
    for (const one of page) {
      afterRow = one.row;
      yield one;
    }
    if (page.length < PAGE) return;
  }
}

function pageOf({ session, source }: ExportFilter): EventFilter {
  return { ...(session === undefined ? {} : { session }), ...(source === undefined ? {} : { source }) };
}

function isRecent(ms: number, { since }: ExportFilter): boolean {
  return since === undefined || ms >= since;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
