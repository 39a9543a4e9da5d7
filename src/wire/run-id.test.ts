import { expect, test } from 'vitest';
import { isPartOfRun, RUN_VARIABLE, runIn } from './run-id.ts';

const ID = '0123456789abcdef';

test.each([
  [ID, ID],
  [`${ID}/${ID}`, `${ID}/${ID}`],
  ['', null],
  ['x', null],
  [`${ID}/`, null],
  [`${ID}\n`, null],
  [`${ID}/${'x'.repeat(16)}`, null],
  [Array.from({ length: 11 }, () => ID).join('/'), null],
])('%j is the run %j', (value, run) => {
  expect(runIn({ [RUN_VARIABLE]: value })).toBe(run);
});

test('without the variable there is no run', () => {
  expect(runIn({})).toBeNull();
});

test('a run contains its nested runs, and none that merely share a prefix', () => {
  expect(isPartOfRun(ID, ID)).toBe(true);
  expect(isPartOfRun(`${ID}/${ID}`, ID)).toBe(true);
  expect(isPartOfRun(`${ID}0`, ID)).toBe(false);
  expect(isPartOfRun(ID, `${ID}/${ID}`)).toBe(false);
  expect(isPartOfRun(null, ID)).toBe(false);
});
