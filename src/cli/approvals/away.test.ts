import { expect, test } from 'vitest';
import { endTime } from './away.ts';

const noon = new Date(2026, 10, 16, 12, 0, 0).getTime();
const at = (day: number, hours: number, minutes: number) => new Date(2026, 10, day, hours, minutes).getTime();

test.each([
  ['18:00', undefined, at(16, 18, 0)],
  ['9:30', undefined, at(17, 9, 30)],
  ['12:00', undefined, at(17, 12, 0)],
  [undefined, '2h', at(16, 14, 0)],
  [undefined, undefined, null],
])('until %s, for %s', (until, span, expected) => {
  expect(endTime(until, span, noon)).toBe(expected);
});

test.each([
  ['25:00', undefined],
  ['18', undefined],
  [undefined, '2'],
  ['18:00', '2h'],
])('until %s, for %s is refused', (until, span) => {
  expect(() => endTime(until, span, noon)).toThrow(/--/);
});
