import { expect, test } from 'vitest';
import { rulesInYaml } from '../../test/support/rules/packs.ts';
import type { Facts } from './facts.ts';
import { openPack, packNames } from './pack.ts';
import { EXAMPLE_PLACES } from './places/example.ts';
import { exampleFacts } from './review/examples.ts';
import { indexRules, type RuleIndex } from './rule-index.ts';

const fromYaml = packNames().flatMap(rulesInYaml);
const compiled = packNames().flatMap((name) => openPack(name, false, EXAMPLE_PLACES).rules());

test('compiled packs decide every example like their YAML files', () => {
  const indexes = [fromYaml, compiled].map(indexRules);
  let matched = 0;
  for (const rule of fromYaml)
    for (const given of Object.values(rule.examples()).flat()) {
      const facts = exampleFacts(rule, given);
      const [wanted, found] = indexes.map((index) => matching(index, facts));
      expect(found, JSON.stringify(given)).toEqual(wanted);
      matched += wanted?.length ?? 0;
    }
  expect(matched).toBeGreaterThan(2_000);
});

function matching(index: RuleIndex, facts: Facts): readonly string[] {
  const met = index.candidates(facts).filter((rule) => rule.test(facts));
  return met.map(({ id }) => id);
}
