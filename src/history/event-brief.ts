import type { EventType } from '../model/events.ts';
import type { Decision } from '../model/responses.ts';
import { oneLine } from '../model/text.ts';
import { storedSubject } from '../store/canonical-event.ts';
import type { StoredEvent } from '../store/stored-event.ts';

/** An event as a line of a list: what a screen of hundreds needs of each. */
export interface EventBrief {
  readonly row: number;
  readonly id: string;
  readonly type: EventType;
  readonly source: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly promptNumber: number;
  readonly toolNumber: number;
  readonly timestamp: number;
  readonly tool: string | null;
  readonly outcome: string | null;
  /** The command, the file, the prompt: what it is about, on one line. */
  readonly subject: string;
  readonly decision: Decision;
  readonly rules: readonly string[];
  /** How many parts of the answer were not delivered. */
  readonly degraded: number;
  readonly latencyMs: number;
}

const MOST = 160;

export function toBrief(event: StoredEvent): EventBrief {
  return {
    row: event.row,
    id: event.id,
    type: event.type,
    source: event.source,
    sessionId: event.sessionId,
    agentId: event.agentId,
    promptNumber: event.promptNumber,
    toolNumber: event.toolNumber,
    timestamp: event.timestamp,
    tool: event.tool?.name ?? null,
    outcome: event.tool?.outcome ?? null,
    subject: oneLine(storedSubject(event), MOST),
    decision: event.response.decision,
    rules: event.rules,
    degraded: event.degraded.length,
    latencyMs: event.latencyMs,
  };
}
