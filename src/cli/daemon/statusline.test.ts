import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchHome, startDaemon } from '../../../test/support/daemon/daemon.ts';
import { statusLine, unconfirmedIn } from './statusline.ts';

const QUIET = { pending: 0, denied: 0, unlockedUntil: null };

test.each([
  ['all is quiet', true, QUIET, 'hookline ✓'],
  ['no daemon answers in time', true, null, 'hookline ✓'],
  [
    'something happened',
    true,
    { ...QUIET, pending: 1, denied: 2 },
    'hookline ✓ · 1 pending (hookline watch) · 2 denied',
  ],
  [
    'rules are paused',
    true,
    { ...QUIET, unlockedUntil: '2026-11-16' },
    'hookline ✓ · protected rules paused',
  ],
  ['a guard is missing', false, { ...QUIET, denied: 2 }, 'hookline ✗ not guarded (hookline doctor)'],
])('where %s', (_, guarded, news, line) => {
  expect(statusLine(guarded, news, null)).toBe(line);
});

test('changes that wait for a person are counted, with a daemon and without one', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  expect(unconfirmedIn(paths)).toBeNull();
  writeFileSync(paths.config, 'http: {port: 0}\npacks: {git: off}\ndisabledRules: [git/x]\n');
  const line = 'hookline ✓ · 2 changes to confirm (hookline rules confirm)';
  expect(statusLine(true, QUIET, unconfirmedIn(paths))).toBe(line);
  await daemon.stop();
  expect(statusLine(true, null, unconfirmedIn(paths))).toBe(line);
  writeFileSync(paths.confirmed, '');
  expect(unconfirmedIn(paths)).toBe('confirmed settings are missing (hookline rules confirm)');
});
