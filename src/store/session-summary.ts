import type { Database } from './driver.ts';
import type { StoredSession } from './queries.ts';

/** What a session did, counted. */
export interface SessionSummary {
  readonly intent: string | null;
  /** The person's prompts, after the first one too. */
  readonly prompts: number;
  readonly filesRead: number;
  readonly filesChanged: number;
  readonly commands: number;
  readonly tests: { readonly runs: number; readonly failed: number; readonly lastFailed: boolean };
  readonly errors: number;
  readonly denied: number;
  readonly lastMessage: string | null;
}

/** The same line for the same session, whoever asks. */
export function summaryLine(summary: SessionSummary): string {
  const { tests } = summary;
  const counts = [
    counted(summary.filesChanged, 'file changed', 'files changed'),
    counted(summary.commands, 'command', 'commands'),
    tests.runs === 0
      ? ''
      : `tests ${tests.lastFailed ? 'failing' : tests.failed > 0 ? 'fixed' : 'passing'} (${counted(tests.runs, 'run', 'runs')})`,
    counted(summary.errors, 'error', 'errors'),
    counted(summary.denied, 'denied', 'denied'),
  ].filter(Boolean);
  return [oneLine(summary.intent ?? '(no prompt)'), counts.join(', ')].filter(Boolean).join(' · ');
}

export function summarise(
  db: Database,
  session: Pick<StoredSession, 'source' | 'sessionId'>,
): SessionSummary {
  const { source, sessionId } = session;
  const rows = db
    .prepare(
      `SELECT kind, action, outcome, count(*) AS n, count(DISTINCT subject) AS subjects
       FROM observations WHERE session_id = ? AND source = ? GROUP BY kind, action, outcome`,
    )
    .all(sessionId, source)
    .map((row) => ({
      kind: String(row.kind),
      action: String(row.action),
      outcome: row.outcome === null ? null : String(row.outcome),
      n: Number(row.n),
      subjects: Number(row.subjects),
    }));
  const sum = (wanted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(wanted).reduce((total, { n }) => total + n, 0);
  const distinct = (terms: string) =>
    Number(
      db
        .prepare(
          `SELECT count(DISTINCT subject) AS n FROM observations WHERE session_id = ? AND source = ? AND kind = 'file' AND ${terms}`,
        )
        .get(sessionId, source)?.n ?? 0,
    );
  const one = (kind: string, column: string, order: string, more = '') => {
    const row = db
      .prepare(
        `SELECT ${column} AS text FROM observations WHERE session_id = ? AND source = ? AND kind = ? ${more} ORDER BY row ${order} LIMIT 1`,
      )
      .get(sessionId, source, kind);
    return row?.text == null ? null : String(row.text);
  };
  const isTest = ({ kind, action }: { kind: string; action: string }) =>
    kind === 'command' && action === 'test';
  return {
    intent: one('intent', 'subject', 'ASC'),
    prompts: sum(({ kind }) => kind === 'intent'),
    filesRead: distinct("action = 'read'"),
    filesChanged: distinct("action <> 'read' AND outcome IS NOT 'failed'"),
    commands: sum(({ kind }) => kind === 'command'),
    tests: {
      runs: sum(isTest),
      failed: sum((row) => isTest(row) && row.outcome === 'failed'),
      lastFailed: one('command', 'outcome', 'DESC', "AND action = 'test'") === 'failed',
    },
    errors: sum(({ kind }) => kind === 'error'),
    denied: sum(({ kind, action }) => kind === 'permission' && (action === 'deny' || action === 'denied')),
    lastMessage: one('turn_end', 'body', 'DESC', "AND body <> ''"),
  };
}

function counted(n: number, one: string, many: string): string {
  return n === 0 ? '' : `${n} ${n === 1 ? one : many}`;
}

function oneLine(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length > 80 ? `${flat.slice(0, 79)}…` : flat;
}
