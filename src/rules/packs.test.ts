import { describe, expect, test } from 'vitest';
import { openPack, packNames } from './pack.ts';
import { failedExamples } from './rule-tests.ts';

const places = { 'hookline-home': ['/home/dev/.hookline/**'], 'agent-settings': ['**/.agent/settings.json'] };

describe.each(packNames())('pack %s', (name) => {
  const pack = openPack(name, false, places);

  test('loads without a problem', () => {
    expect(pack.problems()).toEqual([]);
    expect(pack.rules().length).toBeGreaterThan(0);
  });

  test('says in every denial what to do instead', () => {
    const silent = pack.rules().filter(({ response, next }) => response.decision === 'deny' && next === null);
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  test('has examples for every rule, both ways', () => {
    const bare = pack.rules().filter(({ tests }) => tests.match.length === 0 || tests.pass.length === 0);
    expect(bare.map(({ id }) => id)).toEqual([]);
  });

  test('does what its examples say', () => {
    const failed = pack.rules().flatMap(failedExamples);
    expect(
      failed.map(({ rule, wanted, example, problem }) => ({ id: rule.id, wanted, example, problem })),
    ).toEqual([]);
  });
});
