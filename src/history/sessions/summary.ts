import { oneLine } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import type { StoredSession } from '../../store/read/queries.ts';

/** Counts of what a session did. */
export interface SessionSummary {
  readonly intent: string | null;
  /** The user's prompts, including the first. */
  readonly prompts: number;
  readonly filesRead: number;
  readonly filesChanged: number;
  readonly commands: number;
  readonly tests: {
    readonly runs: number;
    readonly failed: number;
    /** Result of the last run; null if there was none. */
    readonly last: 'passed' | 'failed' | 'unknown' | null;
  };
  readonly errors: number;
  readonly denied: number;
  readonly lastMessage: string | null;
}

/** The same line for a session on every surface. `most` limits the prompt. */
export function summaryLine(summary: SessionSummary, most = 80): string {
  const { tests } = summary;
  const counts = [
    counted(summary.filesChanged, 'file changed', 'files changed'),
    counted(summary.commands, 'command', 'commands'),
    testsWord(tests),
    counted(summary.errors, 'error', 'errors'),
    counted(summary.denied, 'denied', 'denied'),
  ].filter(Boolean);
  return [oneLine(summary.intent ?? '(no prompt)', most), counts.join(', ')].filter(Boolean).join(' · ');
}

/** Test state of a session. `fixed`: they failed before. */
export type TestsState = 'passing' | 'failing' | 'fixed' | 'unknown';

export function testsState({ failed, last }: SessionSummary['tests']): TestsState | null {
  if (last === null) return null;
  return ({ failed: 'failing', unknown: 'unknown', passed: failed > 0 ? 'fixed' : 'passing' } as const)[last];
}

function testsWord(tests: SessionSummary['tests']): string {
  const state = testsState(tests);
  return state === null ? '' : `tests ${state} (${counted(tests.runs, 'run', 'runs')})`;
}

type SessionId = Pick<StoredSession, 'source' | 'sessionId'>;

export function summarise(db: Database, session: SessionId): SessionSummary {
  const counts = countObservations(db, session);
  const sum = (wanted: (row: Count) => boolean) =>
    counts.filter(wanted).reduce((total, { n }) => total + n, 0);
  const isTest = ({ kind, action }: Count) => kind === 'command' && action === 'test';
  return {
    intent: textOf(db, session, 'intent', 'subject', 'ASC'),
    prompts: sum(({ kind }) => kind === 'intent'),
    filesRead: countFiles(db, session, "action = 'read'"),
    filesChanged: countFiles(db, session, "action <> 'read' AND outcome IS NOT 'failed'"),
    commands: sum(({ kind }) => kind === 'command'),
    tests: {
      runs: sum(isTest),
      failed: sum((row) => isTest(row) && row.outcome === 'failed'),
      last: lastTest(textOf(db, session, 'command', 'outcome', 'DESC', "AND action = 'test'")),
    },
    errors: sum(({ kind }) => kind === 'error'),
    denied: sum(({ kind, action }) => kind === 'permission' && (action === 'deny' || action === 'denied')),
    lastMessage: textOf(db, session, 'turn_end', 'body', 'DESC', "AND body <> ''"),
  };
}

function lastTest(outcome: string | null): SessionSummary['tests']['last'] {
  if (outcome === null) return null;
  return outcome === 'ok' ? 'passed' : outcome === 'failed' ? 'failed' : 'unknown';
}

interface Count {
  readonly kind: string;
  readonly action: string;
  readonly outcome: string | null;
  readonly n: number;
}

function countObservations(db: Database, { source, sessionId }: SessionId): Count[] {
  return db
    .prepare(
      `SELECT kind, action, outcome, count(*) AS n
       FROM observations WHERE session_id = ? AND source = ? GROUP BY kind, action, outcome`,
    )
    .all(sessionId, source)
    .map((row) => ({
      kind: String(row.kind),
      action: String(row.action),
      outcome: row.outcome === null ? null : String(row.outcome),
      n: Number(row.n),
    }));
}

/** Counts each file once. */
function countFiles(db: Database, { source, sessionId }: SessionId, terms: string): number {
  const row = db
    .prepare(
      `SELECT count(DISTINCT subject) AS n FROM observations WHERE session_id = ? AND source = ? AND kind = 'file' AND ${terms}`,
    )
    .get(sessionId, source);
  return Number(row?.n ?? 0);
}

/** Text of the first or last observation of a kind. */
function textOf(
  db: Database,
  { source, sessionId }: SessionId,
  kind: string,
  column: string,
  order: 'ASC' | 'DESC',
  more = '',
): string | null {
  const row = db
    .prepare(
      `SELECT ${column} AS text FROM observations WHERE session_id = ? AND source = ? AND kind = ? ${more} ORDER BY event_row ${order}, row ${order} LIMIT 1`,
    )
    .get(sessionId, source, kind);
  return row?.text == null ? null : String(row.text);
}

function counted(n: number, one: string, many: string): string {
  return n === 0 ? '' : `${n} ${n === 1 ? one : many}`;
}
