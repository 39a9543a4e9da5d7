import { expect, test } from 'vitest';
import { examined } from '../../../../test/support/doctor.ts';
import { unlock } from './unlock.ts';

test('protected rules that are paused are a guard that does not apply', () => {
  expect(unlock(examined({ unlockedUntil: '2026-11-16T09:00:00.000Z' }))).toMatchObject([
    { level: 'problem', code: 'unlocked' },
  ]);
  expect(unlock(examined({}))).toEqual([]);
  expect(unlock({ presence: { kind: 'none' } })).toEqual([]);
});
