import type { HookEvent } from '../model/events.ts';
import type { ToolCall } from '../model/tools.ts';
import { redactId } from '../redact/ids.ts';

/**
 * Redacts the IDs that the agent chose. Runs first, so that everything remembered, decided and stored by an ID can be
 * found by it later, even by another process. Rules still see unchanged tool names.
 */
export function withSafeIds(event: HookEvent): HookEvent {
  const { id, sessionId, agentId, workflowId, machineId, userId } = event;
  const isSafe = [id, sessionId, agentId, workflowId, machineId, userId].every(isSafeId);
  const safe: HookEvent = isSafe
    ? event
    : {
        ...event,
        id: redactId(id),
        sessionId: redactId(sessionId),
        agentId: safeOrNull(agentId),
        workflowId: safeOrNull(workflowId),
        machineId: safeOrNull(machineId),
        userId: safeOrNull(userId),
      };
  return withSafeParts(safe);
}

function withSafeParts(event: HookEvent): HookEvent {
  switch (event.type) {
    case 'before_tool':
    case 'permission_request':
    case 'permission_denied':
      return isSafeId(event.tool.useId) ? event : { ...event, tool: withSafeUse(event.tool) };
    case 'after_tool':
      return isSafeId(event.tool.useId) ? event : { ...event, tool: withSafeUse(event.tool) };
    case 'post_tool_batch':
      return { ...event, calls: event.calls.map(withSafeUse) };
    case 'subagent_start':
    case 'subagent_stop':
      // The ID that events within it have.
      return { ...event, subagentId: safeOrNull(event.subagentId) };
    default:
      return event;
  }
}

const isSafeId = (id: string | null) => id === null || redactId(id) === id;

const safeOrNull = (id: string | null) => (id === null ? null : redactId(id));

function withSafeUse<T extends ToolCall>(tool: T): T {
  return { ...tool, useId: safeOrNull(tool.useId) };
}
