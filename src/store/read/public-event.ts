import type { Degradation, HookResponse } from '../../model/responses.ts';
import { validTime } from './event-columns.ts';
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
  /** When it reached Hookline: another moment where the client gives a time of its own. ISO 8601. */
  readonly receivedAt: string;
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
  /** Who answered it, and from where: `maya (dashboard)`, `grant 3fa9c210`; null if no person was asked. */
  readonly answeredBy: string | null;
  /** Why the payload could not be read, or only a part of it; null for one that could. */
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
    receivedAt: new Date(receivedAt(stored)).toISOString(),
    tool:
      tool === null ? null : { name: tool.name, useId: tool.useId, input: tool.input, outcome: tool.outcome },
    response: stored.response,
    degraded: stored.degraded,
    rules: stored.rules,
    latencyMs: stored.latencyMs,
    answeredBy: answeredBy(stored),
    problem: problemOf(stored),
  };
}

function answeredBy({ opinions }: StoredEvent): string | null {
  const answer = opinions.findLast(({ kind }) => kind === 'approval');
  const { decision } = answer?.response ?? {};
  if (!answer || (decision !== 'allow' && decision !== 'deny')) return null;
  return answer.by.replace(/^(?:allowed|denied) by /, '');
}

/** When it reached us. Events from before that was kept have only the one time. */
function receivedAt({ event, timestamp }: StoredEvent): number {
  return typeof event.receivedAt === 'number' ? validTime(event.receivedAt) : timestamp;
}

/** Why the payload could not be read, or only a part of it. */
export function problemOf({ event }: StoredEvent): string | null {
  const { problem, metadata } = event;
  if (typeof problem === 'string') return problem;
  const inMetadata =
    typeof metadata === 'object' && metadata !== null && 'problem' in metadata ? metadata.problem : null;
  return typeof inMetadata === 'string' ? inMetadata : null;
}
