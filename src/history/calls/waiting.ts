import type { Approval } from '../../approvals/approval.ts';
import { callSubject } from '../../model/subject.ts';
import { folderName, oneLine } from '../../model/text.ts';
import { type EventBrief, LONGEST_SUBJECT } from './event-brief.ts';

/** After everything recorded, because the event itself is stored only once it is answered. */
const NOT_STORED = Number.MAX_SAFE_INTEGER;

/** The event of a pending approval, as part of its call; null if it belongs to no call. */
function waitingBrief(approval: Approval): EventBrief | null {
  const { tool, eventId, rules, createdAt, projectId, cwd } = approval;
  if (tool === null || approval.state !== 'pending') return null;
  return {
    row: NOT_STORED,
    id: eventId,
    type: approval.asksPermission ? 'permission_request' : 'before_tool',
    source: approval.source,
    sessionId: approval.sessionId,
    agentId: approval.agentId,
    promptNumber: approval.promptNumber,
    toolNumber: approval.toolNumber,
    timestamp: createdAt,
    place: folderName(projectId ?? cwd),
    branch: null,
    tool: tool.name,
    outcome: null,
    durationMs: null,
    subject: oneLine(callSubject(tool), LONGEST_SUBJECT),
    decision: 'ask',
    delivered: 'none',
    by: rules,
    answered: null,
    rules,
    degraded: 0,
    waitedMs: 0,
    costMs: 0,
    waits: true,
  };
}

/** Adds pending approvals to the events, because a call that needs approval isn't running. */
export function withWaiting(
  events: readonly EventBrief[],
  pending: readonly Approval[],
): readonly EventBrief[] {
  const waiting = pending.flatMap((approval) => waitingBrief(approval) ?? []);
  if (waiting.length === 0) return events;
  const stored = new Set(events.map(({ id }) => id));
  return [...events, ...waiting.filter(({ id }) => !stored.has(id))];
}
