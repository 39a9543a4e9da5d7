import { describe, expect, test } from 'vitest';
import { baselineOf, compareBench, MARGIN, TRIES, worseThan } from './compare.js';
import { tableOf } from './table.js';

const figure = (name: string, ratio: number, isCompared = true) => ({
  name,
  value: ratio * 10,
  unit: 'ms',
  ratio,
  to: 'nothing',
  isCompared,
});

test('the baseline has the median of the ratios that are to be compared, and no others', () => {
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

  test('that was good in one of the tries is not worse', () => {
    expect(worseThan(before, [[figure('ours', 9)], [figure('ours', 2)]])).toEqual([]);
  });

  test('that is no longer measured is worse', () => {
    expect(worseThan(before, [[]])).toEqual([{ name: 'ours', before: 2, now: null }]);
  });
});

test.each([
  ['is good', [1], 1, 0],
  ['has a bad moment', [9, 1], 2, 0],
  ['stays bad', [9, 9, 9], TRIES, 1],
])('a bench that %s is measured as often as needed', async (_, ratios, tries, worse) => {
  const left = [...ratios];
  const result = await compareBench({ ours: 1 }, async () => [figure('ours', left.shift() ?? 0)]);
  expect([result.tries.length, result.worse.length]).toEqual([tries, worse]);
});

test('a bench that is compared with nothing is measured as often as one can be', async () => {
  const result = await compareBench(null, async () => [figure('ours', 1)]);
  expect([result.tries.length, result.worse.length]).toEqual([TRIES, 0]);
});

test('the table says what was missed, what was skipped and what failed', () => {
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
