import { expect, test } from 'vitest';
import { runIn } from '../wire/run-id.ts';
import { createRuns, type RunPolicy } from './runs.ts';

const policy = (onPermission: RunPolicy['onPermission'], onQuestion: RunPolicy['onQuestion'] = 'ask') => ({
  onPermission,
  onQuestion,
});

test('a run has the policy that it was started with, by an ID that its agents can pass on', () => {
  const runs = createRuns();
  const id = runs.start(policy('deny'), null);
  expect(runs.policyOf(id)).toEqual(policy('deny'));
  expect(runIn({ HOOKLINE_RUN: id })).toBe(id);
  expect(runs.policyOf('0123456789abcdef')).toBeNull();
  expect(runs.policyOf(null)).toBeNull();
});

test.each([
  ['deny', 'ask', 'deny'],
  ['deny', 'rules', 'deny'],
  ['rules', 'ask', 'rules'],
  ['ask', 'rules', 'rules'],
  ['ask', 'deny', 'deny'],
  ['ask', 'ask', 'ask'],
] as const)('inside a run with %s, a run with %s has %s', (outer, inner, inForce) => {
  const runs = createRuns();
  const around = runs.start(policy(outer), null);
  const inside = runs.start(policy(inner), around);
  expect(inside.startsWith(`${around}/`)).toBe(true);
  expect(runs.policyOf(inside)?.onPermission).toBe(inForce);
});

test('a question that the outer run denies is denied inside it', () => {
  const runs = createRuns();
  const inside = runs.start(policy('ask', 'ask'), runs.start(policy('ask', 'deny'), null));
  expect(runs.policyOf(inside)?.onQuestion).toBe('deny');
});

test('an unknown run has no nested runs, and depth has a limit', () => {
  const runs = createRuns();
  expect(runs.start(policy('ask'), '0123456789abcdef')).not.toContain('/');
  let id = runs.start(policy('deny'), null);
  for (let depth = 0; depth < 20; depth += 1) id = runs.start(policy('ask'), id);
  expect(runIn({ HOOKLINE_RUN: id })).toBe(id);
  expect(runs.policyOf(id)?.onPermission).toBe('deny');
});
