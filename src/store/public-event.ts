import type { Degradation, HookResponse } from '../model/responses.ts';
import type { StoredEvent } from './stored-event.ts';

/** One line of `events --json`. Scripts rely on it: fields are added, never changed. */
export interface PublicEvent {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly sessionId: string;
  readonly sequence: number;
  readonly promptNumber: number;
  readonly toolNumber: number;
  /** ISO 8601. */
  readonly timestamp: string;
  /** Null on events that are not about one tool call. */
  readonly tool: {
    readonly name: string;
    readonly useId: string | null;
    readonly input: Readonly<Record<string, unknown>>;
    readonly outcome: string | null;
  } | null;
  readonly response: HookResponse;
  readonly degraded: readonly Degradation[];
  readonly rules: readonly string[];
  readonly latencyMs: number;
  /** Why the payload could not be read; null for one that could. */
  readonly problem: string | null;
}

export function toPublicEvent(stored: StoredEvent): PublicEvent {
  const { tool } = stored;
  return {
    id: stored.id,
    type: stored.type,
    source: stored.source,
    sessionId: stored.sessionId,
    sequence: stored.sequence,
    promptNumber: stored.promptNumber,
    toolNumber: stored.toolNumber,
    timestamp: new Date(stored.timestamp).toISOString(),
    tool:
      tool === null ? null : { name: tool.name, useId: tool.useId, input: tool.input, outcome: tool.outcome },
    response: stored.response,
    degraded: stored.degraded,
    rules: stored.rules,
    latencyMs: stored.latencyMs,
    problem: typeof stored.event.problem === 'string' ? stored.event.problem : null,
  };
}
