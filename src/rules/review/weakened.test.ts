import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weakenedRules } from './weakened.ts';

const weakened = (before: string, after: string) => weakenedRules(before, after, 'a.yaml');
const DENY = 'rules: [{ id: a, command: npm publish, deny: No. }]';

describe('weakens', () => {
  test.each([
    ['a rule that is gone', '', 'a: removed'],
    ['rules that are commented out', '# rules:\nrules:\n', 'a: removed'],
    ['a rule that only asks', 'rules: [{ id: a, command: npm publish, ask: No. }]', 'a: deny → ask'],
    ['a rule that allows', 'rules: [{ id: a, command: npm publish, allow: true }]', 'a: deny → allow'],
    ['another condition', 'rules: [{ id: a, command: npm publish x, deny: No. }]', 'a: conditions changed'],
    [
      'one more condition',
      'rules: [{ id: a, command: npm publish, cwd: /x, deny: No. }]',
      'a: conditions changed',
    ],
    [
      'an exception',
      'rules: [{ id: a, command: npm publish, unless: { cwd: /x }, deny: No. }]',
      'a: conditions changed',
    ],
    [
      'an end',
      'rules: [{ id: a, command: npm publish, until: 2026-01-01T00:00:00Z, deny: No. }]',
      'a: conditions changed',
    ],
    [
      'a rule that observes',
      'rules: [{ id: a, command: npm publish, mode: observe, deny: No. }]',
      'a: enforce → observe',
    ],
    ['a file that observes', `mode: observe\n${DENY}`, 'a: enforce → observe'],
    [
      'another name, which may be switched off',
      'rules: [{ id: b, command: npm publish, deny: No. }]',
      'a: removed',
    ],
    ['a rule that cannot be read', 'rules: [{ id: a, comand: npm publish, deny: No. }]', 'a: removed'],
    [
      'an allow that is added',
      'rules: [{ id: a, command: npm publish, deny: No. }, { id: b, tool: "*", allow: true }]',
      'b: added, allows',
    ],
    [
      'a rewrite that is added',
      'rules: [{ id: a, command: npm publish, deny: No. }, { id: b, tool: Bash, rewrite: { command: ls } }]',
      'b: added, changes calls',
    ],
  ])('%s', (_, after, line) => {
    expect(weakened(DENY, after)).toEqual([line]);
  });

  test('an allow that is widened', () => {
    const narrow = 'rules: [{ id: a, command: ls, allow: true }]';
    expect(weakened(narrow, 'rules: [{ id: a, command: rm, allow: true }]')).toEqual([
      'a: conditions changed',
    ]);
    expect(weakened('rules: [{ id: a, command: ls, mode: observe, allow: true }]', narrow)).toHaveLength(1);
  });
});

describe('does not weaken', () => {
  test.each([
    ['the same', DENY],
    ['other words, tests and comments', `# mine\n${DENY.replace('No.', 'Never. ')}`],
    ['another rule that denies', `${DENY.slice(0, -1)}, { id: b, command: make, deny: No. }]`],
    ['another rule that asks', `${DENY.slice(0, -1)}, { id: b, command: make, ask: Sure? }]`],
    ['a rule that only tells', `${DENY.slice(0, -1)}, { id: b, command: make, context: Use ninja. }]`],
  ])('%s', (_, after) => {
    expect(weakened(DENY, after)).toEqual([]);
  });

  test('ask that becomes deny, observe that becomes enforce, a removed exception, a removed allow', () => {
    const loose =
      'rules: [{ id: a, command: x, unless: { cwd: /y }, mode: observe, ask: No. }, { id: b, command: ls, allow: true }]';
    expect(weakened(loose, 'rules: [{ id: a, command: x, deny: No. }]')).toEqual([]);
  });
});

const rule = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c'),
    command: fc.constantFrom('x', 'y'),
    unless: fc.constant({ cwd: '/y' }),
    mode: fc.constantFrom('observe', 'enforce'),
    verdict: fc.constantFrom('deny', 'ask', 'allow'),
  },
  { requiredKeys: ['id', 'command', 'verdict'] },
);
const file = fc
  .array(rule, { maxLength: 4 })
  .map((rules) =>
    JSON.stringify({ rules: rules.map(({ verdict, ...rest }) => ({ ...rest, [verdict]: 'Why.' })) }),
  );

test('a file never weakens itself, and two files that weaken neither way are equally strict', () => {
  fc.assert(
    fc.property(file, file, file, (one, other, third) => {
      expect(weakened(one, one)).toEqual([]);
      // Steps that are each no weaker never add up to a weaker one.
      if (weakened(one, other).length === 0 && weakened(other, third).length === 0)
        expect(weakened(one, third)).toEqual([]);
    }),
  );
});
