import { expect, test } from 'vitest';
import { statusLine } from './statusline.ts';

const QUIET = { pending: 0, denied: 0, unlockedUntil: null };

test.each([
  ['all is quiet', true, QUIET, 'hookline ✓'],
  ['no daemon answers in time', true, null, 'hookline ✓'],
  [
    'something happened',
    true,
    { ...QUIET, pending: 1, denied: 2 },
    'hookline ✓ · 1 waiting (hookline watch) · 2 denied',
  ],
  [
    'rules are paused',
    true,
    { ...QUIET, unlockedUntil: '2026-11-16' },
    'hookline ✓ · protected rules paused',
  ],
  ['a guard is missing', false, { ...QUIET, denied: 2 }, 'hookline ✗ not guarded (hookline doctor)'],
])('where %s', (_, guarded, news, line) => {
  expect(statusLine(guarded, news)).toBe(line);
});
