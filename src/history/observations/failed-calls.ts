import type { AgentHistory, TranscriptCall } from '../../agents/kit/history.ts';
import type { EventOf } from '../../model/events.ts';
import type { Database } from '../../store/database/driver.ts';
import { canonicalEvent } from '../../store/read/canonical-event.ts';
import type { Redact } from '../../store/record/event-json.ts';
import { observationsOf } from './extract.ts';
import { observationWriter } from './observer.ts';

/** Calls that started and weren't denied, and whose end no hook reported. */
const OPEN = `
  SELECT e.row, e.event FROM events e
  WHERE e.session_id = ? AND e.source = ? AND e.type = 'before_tool' AND e.decision NOT IN ('deny', 'ask')
    AND NOT EXISTS (SELECT 1 FROM events a WHERE a.session_id = e.session_id AND a.source = e.source
      AND a.type = 'after_tool' AND a.tool_number = e.tool_number)
    AND NOT EXISTS (SELECT 1 FROM observations o WHERE o.event_row = e.row AND o.kind <> 'message')
  ORDER BY e.row`;

/** Failed calls that a client's hooks don't report, from the transcript. Call it in a transaction. */
export function observeFailures(
  db: Database,
  history: AgentHistory,
  { source, sessionId }: { readonly source: string; readonly sessionId: string },
  calls: readonly TranscriptCall[],
  redact: Redact,
): void {
  const failed = calls.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return;
  const open = db
    .prepare(OPEN)
    .all(sessionId, source)
    .flatMap((row) => {
      const event = canonicalEvent(JSON.parse(String(row.event)));
      return event?.type === 'before_tool' ? [{ row: Number(row.row), event }] : [];
    });
  const add = observationWriter(db);
  for (const call of failed) {
    const at = open.findIndex(({ event }) => isSame(event, call, redact));
    const [found] = at < 0 ? [] : open.splice(at, 1);
    if (found === undefined) continue;
    const event = failureOf(found.event, redact(call.output ?? ''));
    for (const observation of observationsOf(event, { decision: 'none', by: [], reason: null }, history))
      add(found.row, event, observation);
  }
}

/** The stored arguments have no secrets. */
function isSame({ tool }: EventOf<'before_tool'>, call: TranscriptCall, redact: Redact): boolean {
  return (
    tool.nativeName === call.nativeName && JSON.stringify(tool.input) === redact(JSON.stringify(call.input))
  );
}

/** The event that other clients would have sent. */
function failureOf({ tool, ...event }: EventOf<'before_tool'>, output: string): EventOf<'after_tool'> {
  const result = { ...tool, response: output, error: output, outcome: 'failed' as const, durationMs: null };
  return { ...event, type: 'after_tool', tool: result };
}
