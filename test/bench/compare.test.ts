import { describe, expect, test } from 'vitest';
import {
  baselineOf,
  compareBench,
  MARGIN,
  missedLimits,
  NOTHING_BEFORE,
  TRIES,
  worseThan,
} from './compare.js';
import { beyondText, countBaselineOf, countsBeyond } from './counts.js';
import { limitText, tableOf } from './table.js';

const figure = (name: string, ratio: number, isCompared = true) => ({
  name,
  value: ratio * 10,
  unit: 'ms',
  ratio,
  to: 'nothing',
  isCompared,
});

const count = (value: number, name = 'bytes') => ({ name, value, unit: 'bytes', isCount: true });

test('the baseline has the median of the compared ratios, and no others', () => {
  const tries = [9, 1.23456, 1].map((ratio) => [
    figure('ours', ratio),
    figure('theirs', 40, false),
    { name: 'missing', skipped: 'not here' },
  ]);
  expect(baselineOf(tries)).toEqual({ ours: 1.23 });
});

describe('a ratio', () => {
  const before = { ours: 2 };

  test('within the margin is not worse', () => {
    expect(worseThan(before, [[figure('ours', 2 * MARGIN)]])).toEqual([]);
  });

  test('beyond the margin in every try is worse', () => {
    const now = 2 * MARGIN + 0.1;
    expect(worseThan(before, [[figure('ours', now + 1)], [figure('ours', now)]])).toEqual([
      { name: 'ours', before: 2, now },
    ]);
  });

  test('that is good in one try is not worse', () => {
    expect(worseThan(before, [[figure('ours', 9)], [figure('ours', 2)]])).toEqual([]);
  });

  test('that is no longer measured counts as worse', () => {
    expect(worseThan(before, [[]])).toEqual([{ name: 'ours', before: 2, now: null }]);
  });
});

test('the baseline has the median of the counts, and no other value', () => {
  const tries = [300, 123.456, 1].map((value) => [count(value), figure('ours', 1)]);
  expect(countBaselineOf(tries)).toEqual({ bytes: 123.5 });
  expect(baselineOf(tries)).toEqual({ ours: 1 });
});

describe('a count', () => {
  const before = { bytes: 100 };

  test.each([85, 90, 100, 110])('of %d where there were 100 passes', (now) => {
    expect(countsBeyond(before, [[count(now)]])).toEqual([]);
  });

  test.each([
    ['11 % above the baseline', 111],
    ['of a tenth, which is too low to be true', 10],
    ['of 0, which measured nothing', 0],
  ])('%s fails', (_, now) => {
    expect(countsBeyond(before, [[count(now)]])).toEqual([{ name: 'bytes', before: 100, now }]);
  });

  test('that should be 0 fails at the first one', () => {
    expect(countsBeyond({ bytes: 0 }, [[count(0)]])).toEqual([]);
    expect(countsBeyond({ bytes: 0 }, [[count(1)]])).toEqual([{ name: 'bytes', before: 0, now: 1 }]);
  });

  test('that is not measured fails', () => {
    const missing = [{ name: 'bytes', before: 100, now: null }];
    expect(countsBeyond(before, [[]])).toEqual(missing);
    expect(countsBeyond(before, [[count(Number.NaN)]])).toEqual(missing);
    expect(countsBeyond(before, [[{ name: 'bytes', failed: 'no daemon' }]])).toEqual(missing);
  });

  test('that the baseline lacks fails', () => {
    expect(countsBeyond({}, [[count(5)]])).toEqual([{ name: 'bytes', before: null, now: 5 }]);
  });

  test('that the bench skips passes', () => {
    expect(countsBeyond(before, [[{ name: 'bytes', skipped: 'no strace' }]])).toEqual([]);
  });

  test('that is within its limit in one try passes', () => {
    expect(countsBeyond(before, [[count(130)], [count(108)]])).toEqual([]);
  });

  test('above the limit in every try fails with the smallest', () => {
    const tries = [[count(130)], [count(112)], [count(125)]];
    expect(countsBeyond(before, tries)).toEqual([{ name: 'bytes', before: 100, now: 112 }]);
  });

  test('that fails reports by how much', () => {
    const text = (was: number | null, now: number | null) =>
      beyondText({ bench: 'allocation', name: 'bytes', before: was, now });
    expect(text(100, 111)).toBe('allocation, bytes: 111, was 100 (+11 %)');
    expect(text(0, 2)).toBe('allocation, bytes: 2, was 0');
    expect(text(100, null)).toBe('allocation, bytes: not counted, was 100');
    expect(text(100, 9)).toContain('9, was 100. If that is right: Run `npm run bench -- --baseline`');
    expect(text(null, 9)).toContain('9, not in the baseline. Run `npm run bench -- --baseline`');
  });
});

describe('a bench with counts', () => {
  const before = { ratios: {}, counts: { bytes: 100 } };

  test.each([
    ['passes at once', [105], 1, 0],
    ['passes the second time', [120, 105], 2, 0],
    ['stays above', [120, 120, 120], TRIES, 1],
  ])('that %s is repeated as needed', async (_, values, tries, beyond) => {
    const left = [...values];
    const result = await compareBench(before, async () => [count(left.shift() ?? 0)]);
    expect([result.tries.length, result.beyond.length]).toEqual([tries, beyond]);
  });

  test('of another Node version are not compared', async () => {
    const result = await compareBench({ ratios: {}, counts: null }, async () => [count(999)]);
    expect([result.tries.length, result.beyond.length]).toEqual([1, 0]);
  });
});

test.each([
  ['is good', [1], 1, 0],
  ['has a bad moment', [9, 1], 2, 0],
  ['stays bad', [9, 9, 9], TRIES, 1],
])('a bench that %s is repeated as needed', async (_, ratios, tries, worse) => {
  const left = [...ratios];
  const before = { ratios: { ours: 1 }, counts: {} };
  const result = await compareBench(before, async () => [figure('ours', left.shift() ?? 0)]);
  expect([result.tries.length, result.worse.length]).toEqual([tries, worse]);
});

test('a bench that is compared with nothing is measured as often as one can be', async () => {
  const result = await compareBench(null, async () => [figure('ours', 1)]);
  expect([result.tries.length, result.worse.length]).toEqual([TRIES, 0]);
});

const limited = (ratio: number) => ({
  ...figure('ours', ratio, false),
  target: { of: 'ratio' as const, most: 1.25 },
  isLimit: true,
});

describe('a limit', () => {
  test.each([
    ['kept', [1.25], 1, []],
    ['kept the second time', [1.3, 1.2], 2, []],
    ['missed in every try', [1.5, 1.3, 1.4], TRIES, [limited(1.3)]],
    ['not measured', [Number.NaN, Number.NaN, Number.NaN], TRIES, [limited(Number.NaN)]],
  ])('that is %s', async (_, ratios, tries, missed) => {
    const left = [...ratios];
    const result = await compareBench(NOTHING_BEFORE, async () => [limited(left.shift() ?? 0)]);
    expect([result.tries.length, result.missed]).toEqual([tries, missed]);
  });

  test('ignores a target that only the table shows', () => {
    expect(missedLimits([[{ ...limited(9), isLimit: false }]])).toEqual([]);
  });

  test('that is missed reports by how much', () => {
    const text = limitText({ bench: 'earlier', ...limited(1.3) });
    expect(text).toBe(
      'earlier, ours: 13 ms, 1.3 × that of nothing in the best of all tries. The limit is ≤ 1.25 ×.',
    );
  });
});

test('the table shows what was missed, skipped and failed', () => {
  const figures = [
    { ...figure('slow', 3), target: { of: 'ratio' as const, most: 2 } },
    { ...figure('fast', 1), target: { of: 'value' as const, least: 5 } },
    { name: 'theirs', skipped: 'not installed' },
    { name: 'broken', failed: 'no daemon' },
  ];
  const lines = tableOf(new Map([['bench', figures]])).split('\n');
  expect(lines.filter((line) => /^slow .* 3 × .*≤ 2 × .*MISSED$/.test(line))).toHaveLength(1);
  expect(lines.filter((line) => /^fast .* 1 × .*≥ 5 ms .*to nothing$/.test(line))).toHaveLength(1);
  expect(lines.filter((line) => /^theirs .*SKIPPED: not installed$/.test(line))).toHaveLength(1);
  expect(lines.filter((line) => /^broken .*FAILED: no daemon$/.test(line))).toHaveLength(1);
});
