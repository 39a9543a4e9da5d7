import { expect, test } from 'vitest';
import { InterruptedError, interruptAfterWork } from './interrupt.ts';

/** A machine on which work is interrupted after the first limits, having used so much of the processor. */
function machine(interruptions: number, usedMs: number) {
  const limits: number[] = [];
  let cpu = 0;
  return {
    limits,
    cpuMs: () => cpu,
    interrupt<T extends NonNullable<unknown>>(ms: number, work: () => T): T {
      limits.push(ms);
      cpu += usedMs;
      if (limits.length <= interruptions) throw new InterruptedError('late');
      return work();
    },
  };
}

test('work that did not get the processor is done once more, with a longer limit', () => {
  const busy = machine(1, 3);
  expect(interruptAfterWork(100, () => 'done', busy)).toBe('done');
  expect(busy.limits).toEqual([100, 1_000]);
});

test('work that had its share is not, and neither is work that is interrupted twice', () => {
  const idle = machine(1, 99);
  expect(() => interruptAfterWork(100, () => 'done', idle)).toThrow(InterruptedError);
  expect(idle.limits).toEqual([100]);
  const stuck = machine(2, 3);
  expect(() => interruptAfterWork(100, () => 'done', stuck)).toThrow(InterruptedError);
  expect(stuck.limits).toHaveLength(2);
});

test('an error of the work itself is not one of time', () => {
  const fail = () => {
    throw new Error('no');
  };
  expect(() => interruptAfterWork(100, fail)).toThrow('no');
});
