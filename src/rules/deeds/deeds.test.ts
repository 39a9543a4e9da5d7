import { describe, expect, test } from 'vitest';
import { ACTS, OBJECTS } from '../../knowledge/acts.ts';
import { actingPrograms, actsOf, effectActs } from '../../knowledge/load.ts';
import { EFFECT_WORDS, OPEN_KINDS } from '../match/effect-words.ts';
import { deedOfEffect } from './deeds.ts';

test.each([
  ['resource mcp money', 'pay money'],
  ['resource kubernetes delete destructive', 'remove cluster'],
  ['resource aws delete destructive', 'remove resource'],
  ['resource redis del destructive', 'remove entry'],
  ['resource redis flushall destructive', 'remove data'],
  ['resource aws list', 'change resource'],
  ['delete recursive moved', 'write path'],
  ['write append', 'write path'],
  ['vcs push force loses-remote', 'remove history'],
  ['vcs push', 'publish project'],
  ['run', null],
  ['env set HUSKY', null],
])('"%s" counts as "%s"', (words, deed) => {
  expect(deedOfEffect(words.split(' '))).toBe(deed);
});

describe('acts.yaml', () => {
  const kinds: Readonly<Record<string, readonly string[]>> = EFFECT_WORDS;

  test.each(effectActs().map(({ words }) => [words.join(' '), words] as const))(
    '%s',
    (_, [kind = '', ...words]) => {
      expect(Object.keys(kinds)).toContain(kind);
      if (!OPEN_KINDS.has(kind)) expect(kinds[kind]).toEqual(expect.arrayContaining(words));
    },
  );
});

test('every act and every object has a category', () => {
  const deeds = [...effectActs(), ...actingPrograms().flatMap((one) => actsOf(one) ?? [])].map(
    ({ deed }) => deed,
  );
  const used = new Set(deeds.flatMap((deed) => deed.split(' ')));
  expect([...ACTS, ...OBJECTS].filter((word) => !used.has(word))).toEqual([]);
});
