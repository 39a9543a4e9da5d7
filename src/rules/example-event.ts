import type { EventBase } from '../model/events.ts';

/** The fields of all events, of one that never happened: rules are tried on it. */
export function exampleBase(given: Partial<EventBase>): EventBase {
  return {
    id: 'example',
    source: 'example',
    nativeEvent: '',
    sessionId: 'example',
    timestamp: 0,
    cwd: null,
    machineId: null,
    userId: null,
    projectId: null,
    workflowId: null,
    transcriptPath: null,
    permissionMode: null,
    agentId: null,
    sequence: 1,
    promptNumber: 1,
    toolNumber: 1,
    native: null,
    metadata: {},
    ...given,
  };
}
