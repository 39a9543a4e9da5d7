import { expect, test } from 'vitest';
import type { Examined } from '../check.ts';
import { unlock } from './unlock.ts';

/** A daemon that says this of protected rules. */
function examined(unlockedUntil: string | null): Pick<Examined, 'presence'> {
  const daemon = { pid: 1, version: '', socket: '', http: '', startedAt: '' };
  const status = {
    daemon,
    events: 0,
    rules: 0,
    ruleProblems: [],
    hooks: [],
    hookProblems: [],
    unlockedUntil,
    away: null,
    alerts: [],
    unrecorded: { waiting: 0, dropped: 0 },
    config: {},
  };
  const client = {
    info: daemon,
    status: async () => status,
    get: async () => null,
    post: async () => null,
    follow: async () => {},
  };
  return { presence: { kind: 'answers', client, status } };
}

test('protected rules that are paused are a guard that does not apply', () => {
  expect(unlock(examined('2026-11-16T09:00:00.000Z'))).toMatchObject([
    { level: 'problem', code: 'unlocked' },
  ]);
  expect(unlock(examined(null))).toEqual([]);
  expect(unlock({ presence: { kind: 'none' } })).toEqual([]);
});
