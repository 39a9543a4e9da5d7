import * as v from 'valibot';
import { DecodeError } from '../model/errors.ts';
import type { EventBase, EventOf, EventType } from '../model/events.ts';
import type { ToolCall, ToolResult } from '../model/tools.ts';
import type { NativeCall } from './agent.ts';

/** What an event has besides the fields of all events. */
export type OwnFields = { [T in EventType]: Omit<EventOf<T>, keyof EventBase> }[EventType];

/** The fields of all events that only the agent can tell; the others are ours, or nobody knows them yet. */
export type ToldFields = Pick<
  EventBase,
  | 'source'
  | 'nativeEvent'
  | 'sessionId'
  | 'cwd'
  | 'machineId'
  | 'transcriptPath'
  | 'permissionMode'
  | 'agentId'
  | 'metadata'
>;

/** The fields of all events, before the store has placed this one. */
export function eventBase(call: NativeCall, told: ToldFields): EventBase {
  return {
    id: call.id,
    source: told.source,
    nativeEvent: told.nativeEvent,
    sessionId: told.sessionId,
    timestamp: call.receivedAt,
    cwd: told.cwd,
    machineId: told.machineId,
    userId: null,
    projectId: null,
    workflowId: null,
    transcriptPath: told.transcriptPath,
    permissionMode: told.permissionMode,
    agentId: told.agentId,
    sequence: 0,
    promptNumber: 0,
    toolNumber: 0,
    native: call.payload,
    metadata: told.metadata,
  };
}

/** A call that has happened: what it was, and how it went. */
export function finished(
  call: ToolCall,
  fate: Pick<ToolResult, 'files' | 'response' | 'error' | 'outcome' | 'durationMs'>,
): ToolResult {
  return {
    name: call.name,
    nativeName: call.nativeName,
    kind: call.kind,
    input: call.input,
    useId: call.useId,
    mcp: call.mcp,
    command: call.command,
    files: fate.files,
    response: fate.response,
    error: fate.error,
    outcome: fate.outcome,
    durationMs: fate.durationMs,
  };
}

/** Reads what was sent as its schema has it. `sent` begins the sentence of the error: who sent what. Throws DecodeError. */
export function readWire<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  sent: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  // Never the value that was received: it may be a secret, and this text is logged.
  throw new DecodeError(
    `${sent} with ${v.getDotPath(issue) ?? 'something'} that is not ${issue.expected ?? 'of the expected shape'}`,
  );
}
