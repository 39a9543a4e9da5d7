import type { Transcript, TranscriptCall } from '../../agents/kit/history.ts';
import { oneLine } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { excerpt, KEPT } from './excerpt.ts';
import { observationWriter } from './observer.ts';

/** A call or prompt in the transcript that no hook reported. */
export interface MissedCall {
  readonly id: string | null;
  readonly tool: string;
  readonly input: string;
  readonly at: number | null;
}

/** A call starts before its hook, and calls from before the installation don't count as missed. */
const EARLY_MS = 1_000;

/**
 * Matches by ID. If the agent's hooks have no IDs, matches by tool and how often it was called with these arguments.
 */
export function missedCalls(
  db: Database,
  source: string,
  sessionId: string,
  calls: readonly TranscriptCall[],
): readonly MissedCall[] {
  const since = ourBeginning(db, source, sessionId);
  if (since === null) return [];
  const reported = db
    .prepare(`SELECT tool_use_id FROM events WHERE session_id = ? AND source = ? AND tool_use_id IS NOT NULL`)
    .all(sessionId, source);
  const ids = new Set(reported.map((row) => String(row.tool_use_id)));
  const named = new Map<string, number>();
  const begun = db
    .prepare(
      `SELECT json_extract(event, '$.tool.nativeName') AS name, count(*) AS n FROM events
       WHERE session_id = ? AND source = ? AND type = 'before_tool' AND tool_use_id IS NULL GROUP BY name`,
    )
    .all(sessionId, source);
  for (const row of begun) named.set(String(row.name), Number(row.n));
  return calls
    .filter((call) => call.startedAt === null || call.startedAt >= since)
    .filter((call) => {
      if (call.id !== null && ids.has(call.id)) return false;
      const left = named.get(call.nativeName) ?? 0;
      named.set(call.nativeName, left - 1);
      return left <= 0;
    })
    .map((call) => ({
      id: call.id,
      tool: call.nativeName,
      input: excerpt(JSON.stringify(call.input), KEPT.input).text,
      at: call.startedAt,
    }));
}

/** When hooks started to report; null for a session that they didn't report at all. */
function ourBeginning(db: Database, source: string, sessionId: string): number | null {
  const started = db
    .prepare('SELECT started_at FROM sessions WHERE source = ? AND session_id = ?')
    .get(source, sessionId);
  return started === undefined ? null : Number(started.started_at) - EARLY_MS;
}

/** Compares numbers, longest first: a prompt may be changed in transit, or be too long to be reported. */
export function promptGapsIn(
  db: Database,
  source: string,
  sessionId: string,
  turns: Transcript['turns'],
): readonly MissedCall[] {
  const since = ourBeginning(db, source, sessionId);
  if (since === null) return [];
  const asked = turns.filter(({ startedAt }) => startedAt === null || startedAt >= since);
  const reported = db
    .prepare(`SELECT count(*) AS n FROM events WHERE session_id = ? AND source = ? AND type = 'before_agent'`)
    .get(sessionId, source);
  return asked
    .toSorted((a, b) => b.prompt.length - a.prompt.length)
    .slice(0, Math.max(0, asked.length - Number(reported?.n ?? 0)))
    .map(({ prompt, startedAt }) => ({
      id: null,
      tool: 'prompt',
      input: excerpt(prompt, KEPT.input).text,
      at: startedAt,
    }));
}

/** Outcomes of commands that hooks don't report, from the transcript. Call it in a transaction. */
export function resolveOutcomes(
  db: Database,
  source: string,
  sessionId: string,
  calls: readonly TranscriptCall[],
): void {
  const open = db
    .prepare(
      `SELECT row, event_row, timestamp, prompt_number, tool_number, agent_id, tool_use_id, body,
         json_extract(detail, '$.exitCodeHidden') AS hidden FROM observations
       WHERE session_id = ? AND source = ? AND kind = 'command' AND outcome = 'unknown' AND tool_use_id IS NOT NULL`,
    )
    .all(sessionId, source);
  if (open.length === 0) return;
  const known = new Map(calls.map((call) => [call.id, call]));
  const update = db.prepare(
    `UPDATE observations SET outcome = ?, exit_code = ?,
       detail = json_set(detail, '$.outcome', ?, '$.exitCode', ?, '$.failing', json(CASE WHEN ? = 'ok' THEN '[]' ELSE json_extract(detail, '$.failing') END))
     WHERE row = ?`,
  );
  const add = observationWriter(db);
  for (const row of open) {
    const call = known.get(String(row.tool_use_id));
    if (call === undefined || call.outcome === 'unknown') continue;
    // The whole line succeeded, which says nothing about the tests before the pipe.
    if (call.outcome === 'ok' && row.hidden === 1) continue;
    update.run(call.outcome, call.exitCode, call.outcome, call.exitCode, call.outcome, Number(row.row));
    if (call.outcome !== 'failed') continue;
    const place = {
      source,
      sessionId,
      timestamp: Number(row.timestamp),
      promptNumber: Number(row.prompt_number),
      toolNumber: Number(row.tool_number),
      agentId: row.agent_id === null ? null : String(row.agent_id),
      toolUseId: String(row.tool_use_id),
    };
    const message = oneLine(`Exit code ${call.exitCode ?? 'unknown'} ${String(row.body)}`, 500);
    add(Number(row.event_row), place, { kind: 'error', where: 'Bash', message });
  }
}
