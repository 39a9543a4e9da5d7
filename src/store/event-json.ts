import type { HookEvent } from '../model/events.ts';
import { parseJson } from '../model/json.ts';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Null when the value has no JSON: too deep for the stack, too long for a string, or going in circles. */
export function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

/** The redacted text, which is JSON again whatever the redaction cut. */
export function redactedJson(json: string, redact: Redact): string {
  let redacted: string;
  try {
    redacted = redact(json);
  } catch {
    // Not even redacting it worked, so it may hold anything.
    return 'null';
  }
  if (redacted === json || parseJson(redacted) !== undefined) return redacted;
  return JSON.stringify(redacted);
}

/** The event without its payload, and the payload. What cannot be kept is named in `metadata.problem`. */
export function eventJson(event: HookEvent): { readonly event: string; readonly native: string | null } {
  const { native, ...canonical } = event;
  const nativeJson = toJson(native ?? null);
  const json =
    nativeJson === null
      ? toJson({
          ...canonical,
          metadata: { ...event.metadata, problem: 'The payload cannot be stored as JSON.' },
        })
      : toJson(canonical);
  if (json !== null) return { event: json, native: nativeJson };
  return { event: JSON.stringify(commonFields(event)), native: nativeJson };
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
