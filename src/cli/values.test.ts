import { expect, test } from 'vitest';
import { countOf, sinceOf, spanOf } from './values.ts';

const now = new Date(2026, 10, 16, 13, 30).getTime();
const HOUR_MS = 3_600_000;

test.each([
  ['30m', now - HOUR_MS / 2],
  ['12h', now - 12 * HOUR_MS],
  ['7d', now - 7 * 24 * HOUR_MS],
  ['2w', now - 14 * 24 * HOUR_MS],
  [' 7d ', now - 7 * 24 * HOUR_MS],
  ['today', new Date(2026, 10, 16).getTime()],
  ['yesterday', new Date(2026, 10, 15).getTime()],
  ['2026-11-01', new Date(2026, 10, 1).getTime()],
  ['2026-11-01 08:15', new Date(2026, 10, 1, 8, 15).getTime()],
  ['2026-11-01T08:15:00Z', Date.UTC(2026, 10, 1, 8, 15)],
])('--since %j', (text, moment) => {
  expect(sinceOf('search', text, now)).toBe(moment);
});

test('yesterday, the day after the clocks changed, still begins at midnight', () => {
  const zone = process.env.TZ;
  process.env.TZ = 'Europe/Berlin';
  try {
    // 2026-10-25 has 25 hours there.
    const began = sinceOf('search', 'yesterday', Date.UTC(2026, 9, 26, 12));
    expect(began).toBe(Date.UTC(2026, 9, 24, 22));
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('without --since there is no moment', () => {
  expect(sinceOf('search', undefined, now)).toBeUndefined();
});

test.each(['', 'soon', '7', '7x', '-7d', '2026-13-40', 'last week'])('--since %j is refused', (text) => {
  expect(() => sinceOf('search', text, now)).toThrow(
    `--since takes 30m, 12h, 7d, 2w, yesterday or a date, not`,
  );
});

test('a span is a number and a unit', () => {
  expect(spanOf('grants', 'for', '8h')).toBe(8 * HOUR_MS);
  expect(spanOf('grants', 'for', '2w')).toBe(14 * 24 * HOUR_MS);
  for (const text of ['', '8', 'h', '8 hours', 'yesterday', '2026-11-01'])
    expect(() => spanOf('grants', 'for', text)).toThrow('--for takes a time');
});

test('a count is whole and not too small', () => {
  expect(countOf('events', 'limit', undefined, 50)).toBe(50);
  expect(countOf('events', 'limit', '0', 50)).toBe(0);
  expect(countOf('rules', 'times', '2', 3, 2)).toBe(2);
  for (const text of ['', '-1', '1.5', 'many'])
    expect(() => countOf('events', 'limit', text, 50)).toThrow(`not "${text}"`);
  expect(() => countOf('rules', 'times', '1', 3, 2)).toThrow('from 2 on');
});
