import { join } from 'node:path';
import { eventBase } from '../../../src/model/event-base.ts';
import type { EventBase, EventOf, HookEvent } from '../../../src/model/events.ts';
import { PASSTHROUGH } from '../../../src/model/native.ts';
import type { CallRecord } from '../../../src/model/recording.ts';
import { none } from '../../../src/model/responses.ts';
import { type ToolCall, toolKind } from '../../../src/model/tools.ts';
import type { StoredEvent } from '../../../src/store/read/stored-event.ts';
import { scratchFolder } from '../scratch.ts';

/** A path for a database in a folder that goes away with the test. */
export function scratchPath(): string {
  const folder = scratchFolder();
  return join(folder, 'hookline.db');
}

let made = 0;

export function base(session = 's1'): EventBase {
  made += 1;
  return eventBase({
    id: `id-${made}`,
    source: 'claude',
    nativeEvent: 'Native',
    sessionId: session,
    timestamp: 1_700_000_000_000 + made,
    cwd: '/project',
    machineId: 'machine',
    userId: 'user',
    projectId: 'project',
    native: { as: 'it came' },
  });
}

export function bash(command: string, useId: string | null = null): ToolCall {
  return {
    name: 'Bash',
    nativeName: 'Bash',
    kind: toolKind('Bash', null),
    input: { command },
    useId,
    mcp: null,
    command,
    files: [],
  };
}

export function prompt(session?: string): EventOf<'before_agent'> {
  return { ...base(session), type: 'before_agent', prompt: 'hello', title: null };
}

export function beforeTool(command: string, useId: string | null = null, session?: string): HookEvent {
  return { ...base(session), type: 'before_tool', tool: bash(command, useId) };
}

export function afterTool(command: string, useId: string | null = null, session?: string): HookEvent {
  return {
    ...base(session),
    type: 'after_tool',
    tool: { ...bash(command, useId), response: 'done', error: null, outcome: 'ok', durationMs: 3 },
  };
}

export function permission(command: string, session?: string): HookEvent {
  return { ...base(session), type: 'permission_request', tool: bash(command), suggestions: [] };
}

export function call(event: HookEvent, more: Partial<CallRecord> = {}): CallRecord {
  return {
    event,
    response: none(),
    opinions: [],
    degraded: [],
    answer: PASSTHROUGH,
    latencyMs: 1.5,
    delivered: [],
    deferred: null,
    ...more,
  };
}

/** A call as the store gives it, of which only this matters. */
export function storedEvent(given: Partial<StoredEvent> = {}): StoredEvent {
  return {
    row: 1,
    id: 'e1',
    type: 'before_tool',
    source: 'an-agent',
    nativeEvent: 'Native',
    sessionId: 's1',
    sequence: 1,
    promptNumber: 1,
    toolNumber: 1,
    timestamp: 0,
    cwd: null,
    projectId: null,
    machineId: null,
    userId: null,
    agentId: null,
    tool: null,
    response: none(),
    opinions: [],
    degraded: [],
    rules: [],
    answer: null,
    latencyMs: 1,
    event: {},
    native: null,
    ...given,
  };
}
