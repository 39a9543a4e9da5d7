import fc from 'fast-check';
import { expect, test } from 'vitest';
import { merge, stronger } from './merge.ts';
import { allow, ask, deny, type HookResponse, none, rewrite } from './responses.ts';

const text = fc.string({ minLength: 1, maxLength: 8 });
const args = fc.dictionary(fc.constantFrom('command', 'cwd', 'timeout'), fc.jsonValue({ maxDepth: 1 }));
const response: fc.Arbitrary<HookResponse> = fc.record(
  {
    decision: fc.constantFrom('none', 'allow', 'deny', 'ask'),
    reason: text,
    context: text,
    systemMessage: text,
    modifyArgs: args,
    halt: text,
    replaceOutput: fc.jsonValue({ maxDepth: 1 }),
    env: fc.dictionary(fc.constantFrom('A', 'B'), text),
    metadata: args,
    native: fc.dictionary(fc.constantFrom('one', 'two'), args),
  },
  { requiredKeys: ['decision'] },
);
/** The identity law holds for responses without leftovers such as a reason for no decision. */
const fold = (all: readonly HookResponse[]) => all.reduce(merge, none());

test('deny wins in any order', () => {
  fc.assert(
    fc.property(fc.array(response), fc.array(response), (before, after) => {
      expect(fold([...before, deny('no'), ...after]).decision).toBe('deny');
    }),
  );
});

test('the decision does not depend on the order at all', () => {
  fc.assert(
    fc.property(fc.array(response), (all) => {
      expect(fold(all).decision).toBe(fold([...all].reverse()).decision);
    }),
  );
});

test('allow comes only from an allow, and never past an ask', () => {
  fc.assert(
    fc.property(fc.array(response), (all) => {
      if (fold(all).decision !== 'allow') return;
      expect(all.some((one) => one.decision === 'allow')).toBe(true);
      expect(all.every((one) => one.decision === 'allow' || one.decision === 'none')).toBe(true);
    }),
  );
});

test('none is the identity', () => {
  fc.assert(
    fc.property(response, (one) => {
      const meant = { ...one };
      expect(merge(none(), meant)).toEqual(meant);
      expect(merge(meant, none())).toEqual(meant);
    }),
  );
});

test('grouping does not matter', () => {
  fc.assert(
    fc.property(response, response, response, (a, b, c) => {
      expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)));
    }),
  );
});

test('rewrites apply in order', () => {
  fc.assert(
    fc.property(fc.array(args), args, (changes, start) => {
      const merged = fold(changes.map(rewrite));
      const oneByOne = Object.assign({}, start, ...changes);
      expect({ ...start, ...merged.modifyArgs }).toEqual(oneByOne);
    }),
  );
});

test('only the reasons of the winning decision are kept', () => {
  expect(merge(merge(allow('fine'), deny('first')), deny('second'))).toEqual({
    decision: 'deny',
    reason: 'first\nsecond',
  });
  expect(merge(ask('sure?'), deny('no')).reason).toBe('no');
});

test('contexts are kept in handler order', () => {
  const both = merge({ decision: 'none', context: 'a' }, { decision: 'deny', context: 'b', reason: 'r' });
  expect(both.context).toBe('a\n\nb');
});

test('stronger is the order deny > ask > allow > none', () => {
  const order = ['none', 'allow', 'ask', 'deny'] as const;
  for (const [low, a] of order.entries()) {
    for (const [high, b] of order.entries()) expect(stronger(a, b)).toBe(high > low ? b : a);
  }
});
