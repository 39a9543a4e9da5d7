import { expect, test } from 'vitest';
import { published, restored, rolledOut } from './change.ts';
import type { PolicyDocument, PolicySet } from './document.ts';

const target = { groups: [], repositories: [], agents: [] };
const web = { ...target, groups: ['web'] };
const first = { 'a.yaml': 'rules: []' };
const second = { 'b.yaml': 'rules: []' };
const third = { 'c.yaml': 'rules: []' };

const version = (
  number: number,
  sets: readonly PolicySet[],
  restores: number | null = null,
): PolicyDocument => ({
  team: 'test',
  version: number,
  createdAt: '2026-11-17T00:00:00Z',
  restores,
  sets,
});

test('a partial rollout keeps the previous rules for the others, also on top of another partial one', () => {
  const { sets } = published([], { target, files: first, percent: 100, observe: false });
  const partial = published(sets, { target, files: second, percent: 10, observe: false });
  expect(partial.sets[0]).toMatchObject({ files: second, before: first });
  // The second never reached all machines, so elsewhere the first still decides.
  const again = published(partial.sets, { target, files: third, percent: 10, observe: false });
  expect(again.sets[0]).toMatchObject({ files: third, before: first });
  const all = rolledOut(again.sets, { target, percent: 100 });
  expect(published(all.sets, { target, files: second, percent: 50, observe: true }).sets[0]?.before).toEqual(
    third,
  );
});

test("rules in observe mode don't become the previous rules", () => {
  const { sets } = published([], { target, files: first, percent: 100, observe: true });
  expect(published(sets, { target, files: second, percent: 50, observe: false }).sets[0]?.before).toBeNull();
});

test('other targets stay unchanged', () => {
  const forAll = published([], { target, files: first, percent: 100, observe: false });
  const both = published(forAll.sets, { target: web, files: second, percent: 100, observe: false });
  expect(both.sets.map(({ files }) => files)).toEqual([first, second]);
  expect(() => rolledOut(forAll.sets, { target: web, percent: 50 })).toThrow('No policy was published');
});

test('each rollback goes back one more version', () => {
  const sets = (files: Record<string, string>) =>
    published([], { target, files, percent: 100, observe: false }).sets;
  const history = [version(3, sets(third)), version(2, sets(second)), version(1, sets(first))];
  const once = restored(history);
  expect(once).toMatchObject({ restores: 2, sets: sets(second) });
  const twice = restored([version(4, once.sets, once.restores), ...history]);
  expect(twice).toMatchObject({ restores: 1, sets: sets(first) });
  expect(() => restored([version(5, twice.sets, twice.restores), ...history])).toThrow('no earlier version');
  expect(restored(history, 1)).toMatchObject({ restores: 1 });
  expect(() => restored(history, 9)).toThrow('no version 9');
});
