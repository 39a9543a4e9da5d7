import { expect, test } from 'vitest';
import { distinctIds, isEndOf } from './short-id.ts';

const timed = ['01a1e076-cba1-7632-9f65-e1af3cc9feca', '01a1e076-cbff-7632-9f65-a11111aaaaaa'];

test('the start of an ID is enough if it is unique', () => {
  const ids = ['4f1c2d3e-aaaa', '9b1c2d3e-aaaa'];
  expect([...distinctIds(ids).values()]).toEqual(['4f1c2d3e', '9b1c2d3e']);
  expect(distinctIds(['s1']).get('s1')).toBe('s1');
});

test('tells IDs that begin with the time apart by their ends', () => {
  expect([...distinctIds(timed).values()]).toEqual(['c9feca', 'aaaaaa']);
  const close = ['01a1e076-1-xaaaaaa', '01a1e076-1-yaaaaaa'];
  expect([...distinctIds(close).values()]).toEqual(['xaaaaaa', 'yaaaaaa']);
  expect(new Set(distinctIds(['01a1e076-1', '01a1e076-12', '01a1e076-123']).values()).size).toBe(3);
});

test('matches an ID only by a long enough end', () => {
  expect(isEndOf(timed[0] ?? '', 'c9feca')).toBe(true);
  expect(isEndOf(timed[0] ?? '', 'feca')).toBe(false);
});
