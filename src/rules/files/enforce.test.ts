import { expect, test } from 'vitest';
import { type Enforced, enforcePack, enforceRule } from './enforce.ts';
import { parseRules } from './load.ts';

const textOf = (result: Enforced) => ('text' in result ? result.text : result.problem);
const observing = (yaml: string) => {
  const { rules, problems } = parseRules(yaml, '/r/own.yaml');
  expect(problems).toEqual([]);
  return rules.filter((rule) => rule.observing).map(({ id }) => id);
};

const FILE = `# Mine.
rules:
  - id: push   # looked at by two
    command: [git push,   git send-email]
    mode: "observe"  # until June
    ask: 'It needs approval.'
  - { command: rm, deny: no, mode: observe }
`;

test('changes one word and nothing else', () => {
  const after = textOf(enforceRule(FILE, '/r/own.yaml', 'push'));
  expect(after).toBe(FILE.replace('"observe"', 'enforce'));
  expect(observing(after)).toEqual(['own.yaml#2']);
});

test('finds a rule without an id by its position', () => {
  const after = textOf(enforceRule(FILE, '/r/own.yaml', 'own.yaml#2'));
  expect(after).toBe(FILE.replace('mode: observe }', 'mode: enforce }'));
});

test('in an observing file, the other rules keep observing', () => {
  const file = `mode: observe
rules:
  # First.
  - id: one
    deny: no
  - {id: two, deny: no}
  - mode: observe
    id: three
    deny: no
`;
  const after = textOf(enforceRule(file, '/r/own.yaml', 'one'));
  expect(observing(after)).toEqual(['two', 'three']);
  expect(after).toContain('# First.');
  expect(observing(textOf(enforceRule(file, '/r/own.yaml', 'two')))).toEqual(['one', 'three']);
  expect(observing(textOf(enforceRule(file, '/r/own.yaml', 'three')))).toEqual(['one', 'two']);
});

test.each([
  ['rules: [{id: a, deny: no}]', 'a', 'a is enforced already'],
  ['rules: [{id: a, deny: no}]', 'b', '/r/own.yaml has no rule b'],
  ['rules: [{id: a', 'a', '/r/own.yaml is invalid; fix it first'],
])('%s', (file, id, problem) => {
  expect(enforceRule(file, '/r/own.yaml', id)).toEqual({ problem });
});

test('switches a pack on in place', () => {
  const config = 'failure: closed\npacks: { git: observe, cloud: observe } # for now\n';
  expect(enforcePack(config, 'git')).toEqual({ text: config.replace('git: observe', 'git: on') });
  expect(enforcePack(config, 'secrets')).toEqual({ problem: 'the pack secrets is not in observe mode' });
  expect(enforcePack('', 'git')).toEqual({ problem: 'the pack git is not in observe mode' });
});
