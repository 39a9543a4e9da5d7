import type { EventBase } from './events.ts';

type Given = Pick<EventBase, 'id' | 'source' | 'sessionId' | 'timestamp'> & Partial<EventBase>;

/** Common event fields, before the store has numbered the event. Flat, because it is created for every call. */
export function eventBase(given: Given): EventBase {
  return {
    id: given.id,
    source: given.source,
    nativeEvent: given.nativeEvent ?? '',
    sessionId: given.sessionId,
    timestamp: given.timestamp,
    receivedAt: given.receivedAt ?? given.timestamp,
    cwd: given.cwd ?? null,
    machineId: given.machineId ?? null,
    userId: given.userId ?? null,
    projectId: given.projectId ?? null,
    workflowId: given.workflowId ?? null,
    transcriptPath: given.transcriptPath ?? null,
    permissionMode: given.permissionMode ?? null,
    agentId: given.agentId ?? null,
    sequence: given.sequence ?? 0,
    promptNumber: given.promptNumber ?? 0,
    toolNumber: given.toolNumber ?? 0,
    native: given.native ?? null,
    metadata: given.metadata ?? {},
  };
}
