import { expect, test } from 'vitest';
import { createPairing, PAIRING_MS } from './pairing.ts';

function opened() {
  let now = 1_000;
  const pairing = createPairing(() => now);
  const letIn = (by: string) => ({ device: { name: `phone of ${by}` } });
  return { pairing, letIn, pass: (ms: number) => (now += ms) };
}

test('a code admits one device, once', () => {
  const { pairing, letIn } = opened();
  const { id, code, until } = pairing.issue('maya');
  expect(pairing.state(id)).toEqual({ state: 'waiting', until });
  expect(pairing.redeem(code, '10.0.0.9', letIn)).toEqual({ device: { name: 'phone of maya' } });
  expect(pairing.state(id)).toEqual({ state: 'paired', device: 'phone of maya' });
  expect(pairing.redeem(code, '10.0.0.9', letIn)).toBe('wrong');
});

test("a code expires after minutes, and its ID doesn't work as a code", () => {
  const { pairing, letIn, pass } = opened();
  const { id, code } = pairing.issue('maya');
  expect(pairing.redeem(id, '10.0.0.9', letIn)).toBe('wrong');
  pass(PAIRING_MS + 1);
  expect(pairing.state(id)).toEqual({ state: 'over' });
  expect(pairing.redeem(code, '10.0.0.9', letIn)).toBe('wrong');
});

test('wrong codes delay their sender but not others', () => {
  const { pairing, letIn, pass } = opened();
  for (let times = 0; times < 5; times++) expect(pairing.redeem('x', '10.0.0.9', letIn)).toBe('wrong');
  const { code } = pairing.issue('maya');
  // Not even with the right code, which stays valid for others.
  expect(pairing.redeem(code, '10.0.0.9', letIn)).toBe('too-often');
  expect(pairing.redeem(code, '10.0.0.8', letIn)).toEqual({ device: { name: 'phone of maya' } });
  pass(60_000);
  expect(pairing.redeem('x', '10.0.0.9', letIn)).toBe('wrong');
});

test("many addresses don't help either", () => {
  const { pairing, letIn } = opened();
  for (let times = 0; times < 60; times++) expect(pairing.redeem('x', `fd00::${times}`, letIn)).toBe('wrong');
  expect(pairing.redeem('x', 'fd00::ffff', letIn)).toBe('too-often');
});
