import { expect, test } from 'vitest';
import { createAllowance } from './allowance.ts';

function takeAll(count: number, bytes = 0) {
  let time = 0;
  const allowance = createAllowance(() => time);
  const take = (times: number) => Array.from({ length: times }, () => allowance.take('a', bytes));
  const pass = (ms: number) => {
    time += ms;
  };
  return { allowance, take, pass, first: take(count) };
}

test('a machine may send a burst without delaying others', () => {
  const { allowance, take, first } = takeAll(1_000);
  expect(new Set(first)).toEqual(new Set(['read']));
  expect(take(1)).toEqual(['pass over']);
  expect(allowance.take('b', 0)).toBe('read');
});

test('after a pause it may send again, and large messages count as several', () => {
  const { take, pass } = takeAll(1_000);
  pass(1_000);
  expect(take(101).filter((outcome) => outcome === 'read')).toHaveLength(100);
  expect(takeAll(1_000, 1 << 20).first.filter((outcome) => outcome === 'read')).toHaveLength(15);
});

test("a machine that never pauses is a flood; one that pauses isn't", () => {
  const { take, pass } = takeAll(5_000);
  pass(10_000);
  expect(take(1_100)).not.toContain('flood');
  pass(100);
  expect(take(6_000)).toContain('flood');
});
