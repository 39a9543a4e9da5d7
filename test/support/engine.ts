import { AGENTS } from '../../src/agents/_registry.ts';
import type { Engine } from '../../src/engine/handle.ts';
import { createNewFiles } from '../../src/engine/new-files.ts';
import type { Handler } from '../../src/model/deciding.ts';
import type { HookEvent } from '../../src/model/events.ts';
import type { Call } from '../../src/model/native.ts';
import type { CallRecord, Opinion, Recorder, WaitingContext } from '../../src/model/recording.ts';
import type { HookResponse } from '../../src/model/responses.ts';

/** Keeps calls in memory, as a store would. */
interface MemoryRecorder extends Recorder {
  readonly records: CallRecord[];
}

export function createMemoryRecorder(): MemoryRecorder {
  const records: CallRecord[] = [];
  let waiting: (WaitingContext & { readonly session: string })[] = [];
  let placed = 0;
  return {
    records,
    place: (event) => {
      placed += 1;
      return { ...event, sequence: placed };
    },
    waitingContext: (source, sessionId) => waiting.filter(({ session }) => session === source + sessionId),
    commit: (record) => {
      records.push(record);
      waiting = waiting.filter(({ id }) => !record.delivered.includes(id));
      const { source, sessionId } = record.event;
      if (record.deferred !== null) {
        waiting.push({ id: records.length, text: record.deferred, session: source + sessionId });
      }
      return true;
    },
  };
}

/** An engine with the real agents that needs no home and no clock. */
export function createTestEngine(handlers: readonly Handler[], more: Partial<Engine> = {}): Engine {
  return {
    agents: AGENTS,
    handlers,
    approver: null,
    recorder: createMemoryRecorder(),
    identity: {
      machineId: 'machine',
      userId: 'user',
      projectOf: (cwd) => `project of ${cwd}`,
      branchOf: () => 'main',
    },
    failure: 'open',
    newFiles: createNewFiles(),
    now: () => 0,
    ...more,
  };
}

/** A handler that says what the test wants. */
export function saying(decide: (event: HookEvent) => HookResponse | null, name = 'test'): Handler {
  return {
    name,
    budgetMs: null,
    guards: true,
    decide: (event) => opinions(name, decide(event)),
  };
}

export function opinions(by: string, response: HookResponse | null): Opinion[] {
  return response === null ? [] : [{ kind: 'hook', by, where: null, response }];
}

let calls = 0;

/** A call with an id of its own. */
export function callWith(agent: string, payload: unknown, more: Partial<Call> = {}): Call {
  calls += 1;
  return {
    id: `call-${calls}`,
    receivedAt: 1_700_000_000_000 + calls,
    agent,
    event: null,
    env: {},
    payload,
    ...more,
  };
}
