import type { HookEvent } from '../../model/events.ts';
import { parseJson } from '../../model/json.ts';

/** Redacts a text. */
export type Redact = (text: string) => string;

/** Null if the value can't be JSON: too deep for the stack, too long for a string, or circular. */
export function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

/** The redacted text, as valid JSON whatever the redaction removed. */
export function redactedJson(json: string, redact: Redact): string {
  let redacted: string;
  try {
    redacted = redact(json);
  } catch {
    // Redaction failed too, so the text may contain secrets.
    return 'null';
  }
  if (redacted === json || parseJson(redacted) !== undefined) return redacted;
  return JSON.stringify(redacted);
}

/**
 * The event without its payload, and the payload, each passed through `keep`. `metadata.problem` names what can't be
 * kept. They run one after the other, because the text of a large call takes much memory.
 */
export function eventJson(
  event: HookEvent,
  keep: (json: string) => string,
): { readonly event: string; readonly native: string | null } {
  const kept = (value: unknown) => {
    const json = toJson(value);
    return json === null ? null : keep(json);
  };
  const native = kept(event.native ?? null);
  // JSON omits undefined fields; a copy without the field would take three times as long.
  const canonical = { ...event, native: undefined };
  const problem = 'The payload cannot be stored as JSON.';
  const described = native === null ? { ...canonical, metadata: { ...event.metadata, problem } } : canonical;
  return { event: kept(described) ?? keep(JSON.stringify(commonFields(event))), native };
}

function commonFields(event: HookEvent): Record<string, unknown> {
  return {
    type: event.type,
    id: event.id,
    source: event.source,
    nativeEvent: event.nativeEvent,
    sessionId: event.sessionId,
    timestamp: event.timestamp,
    receivedAt: event.receivedAt,
    cwd: event.cwd,
    machineId: event.machineId,
    userId: event.userId,
    projectId: event.projectId,
    workflowId: event.workflowId,
    transcriptPath: event.transcriptPath,
    permissionMode: event.permissionMode,
    agentId: event.agentId,
    sequence: event.sequence,
    promptNumber: event.promptNumber,
    toolNumber: event.toolNumber,
    metadata: { problem: 'The event cannot be stored as JSON; only its common fields are kept.' },
  };
}
