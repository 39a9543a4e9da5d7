import { expect, test } from 'vitest';
import { base } from '../../test/support/store/store.ts';
import type { HookEvent } from '../model/events.ts';
import { createGates } from './gates.ts';

const stop = (more: Partial<HookEvent> = {}): HookEvent =>
  Object.assign(
    {
      ...base(),
      type: 'stop' as const,
      stopHookActive: false,
      lastAssistantMessage: null,
      backgroundTasks: [],
    },
    more,
  );
const { source, sessionId } = stop();

function open({ untested = false, dirty = false } = {}) {
  const gates = createGates({ untested: () => untested, dirty: () => dirty });
  const reasons = (event: HookEvent) => {
    const given = gates.handler.decide(event);
    if (given instanceof Promise) throw new Error('gates answer at once');
    return given.filter(({ observing }) => !observing).map(({ response }) => response.reason);
  };
  return { gates, reasons };
}

test('keep going denies the next stop, once', () => {
  const { gates, reasons } = open();
  gates.keepGoing(source, sessionId, 'Now the docs.');
  expect(reasons(stop({ sessionId: 'another' }))).toEqual([]);
  expect(reasons(stop())).toEqual(['Now the docs.']);
  expect(reasons(stop())).toEqual([]);
});

test("a gate denies a stop while its condition isn't met, and gives up after a few times", () => {
  const { gates, reasons } = open({ untested: true });
  expect(reasons(stop())).toEqual([]);
  gates.stand(source, sessionId, { untested: true, dirty: false });
  const refused = [1, 2, 3, 4, 5].map(() => reasons(stop()).length);
  expect(refused).toEqual([1, 1, 1, 0, 0]);
  // It still denies, which is recorded.
  expect(gates.handler.decide(stop())).toMatchObject([{ spent: true, observing: true, by: 'gate' }]);
  expect(reasons(stop({ promptNumber: 9 }))).toHaveLength(1);
});

test('a met condition blocks no turn, and subagents are exempt', () => {
  const { gates, reasons } = open({ dirty: true });
  gates.stand(source, sessionId, { untested: true, dirty: true });
  expect(reasons(stop({ agentId: 'sub' }))).toEqual([]);
  expect(reasons(stop())[0]).toContain('uncommitted changes');
  gates.stand(source, sessionId, { untested: true, dirty: false });
  expect(reasons(stop())).toEqual([]);
});
