import { expect, test } from 'vitest';
import { InterruptedError, interruptAfterWork } from './interrupt.ts';

/** A machine that interrupts work after the first limits, with this much CPU time used. */
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

test("repeats work that didn't get enough CPU time, with a longer limit", () => {
  const busy = machine(1, 3);
  expect(interruptAfterWork(100, () => 'done', busy)).toBe('done');
  expect(busy.limits).toEqual([100, 1_000]);
});

test("doesn't repeat work that had its share, or was interrupted twice", () => {
  const idle = machine(1, 99);
  expect(() => interruptAfterWork(100, () => 'done', idle)).toThrow(InterruptedError);
  expect(idle.limits).toEqual([100]);
  const stuck = machine(2, 3);
  expect(() => interruptAfterWork(100, () => 'done', stuck)).toThrow(InterruptedError);
  expect(stuck.limits).toHaveLength(2);
});

test("an error of the work itself isn't a timeout", () => {
  const fail = () => {
    throw new Error('no');
  };
  expect(() => interruptAfterWork(100, fail)).toThrow('no');
});
