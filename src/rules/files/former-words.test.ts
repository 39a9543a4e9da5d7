import { expect, test } from 'vitest';
import { ruleFindings } from '../review/remarks.ts';
import { inCurrentWords } from './former-words.ts';
import { parseRules } from './load.ts';

const NO_NAMES = { isNativeTool: () => false, effectNames: () => [] };

const FORMER = `rules:
  - { id: patience, refused: 6 per session, halt: Ask me. }
  - { id: many, refusals: 9 per hour, unless: { gives: [build/**] }, halt: Ask me. }
  - { id: words, effects: [give place, resource throwaway], deny: why }
`;

const parsed = () =>
  parseRules(FORMER, '/home/dev/.hookline/rules/own.yaml', { layer: 'user', pack: null, observing: false });

test('reads rules with former words', () => {
  const { rules, problems } = parsed();
  expect(problems).toEqual([]);
  expect(rules.map(({ id, afterRefusal }) => [id, afterRefusal])).toEqual([
    ['patience', true],
    ['many', true],
    ['words', false],
  ]);
  expect(rules[2]?.written[0]?.effects).toEqual(['expose place', 'resource disposable']);
  expect(rules[1]?.written[1]).toEqual({ exposes: ['build/**'] });
});

test('`rules check` names the current word for each former one', () => {
  const messages = ruleFindings(parsed().rules, NO_NAMES).map(({ message }) => message);
  expect(messages).toEqual([
    'rule patience: "refused" is called "denied" now; the old word still works',
    'rule many: "refusals" is called "denials" now; the old word still works',
    'rule many: "gives" is called "exposes" now; the old word still works',
    'rule words: "give" is called "expose" now; the old word still works',
    'rule words: "throwaway" is called "disposable" now; the old word still works',
  ]);
});

test('leaves a rule with current words unchanged', () => {
  const rule = {
    id: 'a',
    denied: '3 per turn',
    effects: 'resource disposable',
    tests: { match: [{ denied: 3 }] },
  };
  expect(inCurrentWords(rule)).toEqual({ rule, former: [] });
});

test('reports a key written both ways', () => {
  const both = 'rules: [{ denied: 3 per turn, refused: 9 per turn, deny: why }]';
  const { rules, problems } = parseRules(both, 'x.yaml', { layer: 'user', pack: null, observing: false });
  expect(rules).toEqual([]);
  expect(problems[0]?.message).toContain('refused: unknown key');
});
