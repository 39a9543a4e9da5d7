import { expect, test } from 'vitest';
import { openPack } from './pack.ts';
import { EXAMPLE_PLACES } from './places/example.ts';

const rulesOf = (observing: boolean, places = EXAMPLE_PLACES) =>
  openPack('self-protection', observing, places).rules();

test("two homes with the same places share a pack's compiled rules", () => {
  expect(rulesOf(false)).toBe(rulesOf(false));
  expect(rulesOf(false).length).toBeGreaterThan(10);
});

test('observe mode and other places get separate rules', () => {
  const own = rulesOf(false);
  expect(rulesOf(true)).not.toBe(own);
  const elsewhere = Object.fromEntries(Object.keys(EXAMPLE_PLACES).map((name) => [name, ['/elsewhere']]));
  expect(rulesOf(false, elsewhere)).not.toBe(own);
});

test('shared rules cannot be modified', () => {
  expect(Object.isFrozen(rulesOf(false))).toBe(true);
});

test.each([
  ['that no pattern can have', ['/srv/@(a|b)/**'], 'writes: "/srv/@(a|b)/**" has a group with parentheses'],
  ['that there are none of', [], 'writes: must not be empty'],
])('omits and reports a rule with places %s', (_, home, problem) => {
  const pack = openPack('self-protection', false, { ...EXAMPLE_PLACES, 'hookline-home': home });
  expect(pack.problems()[0]?.message).toContain(`has an invalid condition: ${problem}`);
  expect(pack.problems()[0]?.where).toMatch(/self-protection\.yaml:\d+:\d+$/);
  expect(pack.rules().length).toBeLessThan(rulesOf(false).length);
  expect(pack.rules().length).toBeGreaterThan(10);
});
