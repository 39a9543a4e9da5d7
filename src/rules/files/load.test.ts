import { expect, test } from 'vitest';
import { parseRules } from './load.ts';

const problemsOf = (text: string) =>
  parseRules(text, '/r/guards.yaml').problems.map(({ where, message }) => `${where} ${message}`);

test.each([
  ['a syntax error', 'rules:\n  - deny: "x\n', /^\/r\/guards\.yaml:3:1 Missing closing "quote/],
  [
    'a syntax error whose message goes on',
    'rules:\n  - deny: x\n   ask: y\n',
    /^\/r\/guards\.yaml:\d+:\d+ .*[^:]$/,
  ],
  ['no list', 'rules: 5\n', /^\/r\/guards\.yaml:1:1 a rule file is a list under "rules:"/],
  ['a bare list', '- deny: x\n', /^\/r\/guards\.yaml:1:1 a rule file is a list/],
  [
    'an unknown key',
    'rules:\n  - deny: x\n    comand: touch\n',
    /^\/r\/guards\.yaml:3:5 comand: unknown key; did you mean command\?$/,
  ],
  ['a value of the wrong type', 'rules:\n  - id: a\n    deny: 5\n', /^\/r\/guards\.yaml:3:5 deny: /],
  ['an empty reason', 'rules:\n  - deny: ""\n', /^\/r\/guards\.yaml:2:5 deny: must not be empty/],
  ['a rule that is a word', 'rules:\n  - deny\n', /^\/r\/guards\.yaml:2:5 a rule is a map/],
  [
    'a rule that does nothing',
    'rules:\n\n  - command: x\n',
    /^\/r\/guards\.yaml:3:5 rule guards\.yaml#1 has no action/,
  ],
  [
    'two decisions',
    'rules:\n  - id: a\n    deny: x\n    allow: true\n',
    /:2:5 rule a has more than one action \(deny, allow\)/,
  ],
  [
    'no such event',
    'rules:\n  - on: before_tea\n    deny: x\n',
    /:2:5 rule guards\.yaml#1 is on "before_tea"/,
  ],
  [
    'grants without allow',
    'rules:\n  - deny: x\n    grants: [{tool: Bash}]\n',
    /:2:5 .* use grants only with allow/,
  ],
  ['a key twice', 'rules:\n  - deny: x\n    deny: y\n', /^\/r\/guards\.yaml:3:5 Map keys must be unique/],
])('%s is reported with its line and column', (_, text, expected) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(expected);
});

test('a problem in one rule leaves the others valid', () => {
  const { rules, problems } = parseRules('rules:\n  - deny: a\n  - dney: b\n  - deny: c\n', 'x.yaml');
  expect(rules.map(({ id }) => id)).toEqual(['x.yaml#1', 'x.yaml#3']);
  expect(problems).toHaveLength(1);
});

test('a rule has its given id, or else its file and number, and knows its position', () => {
  const { rules } = parseRules('rules:\n  - {id: own, deny: a}\n  - deny: b\n', '/home/me/rules/b.yaml');
  expect(rules.map(({ id, where }) => [id, where])).toEqual([
    ['own', '/home/me/rules/b.yaml:2:5'],
    ['b.yaml#2', '/home/me/rules/b.yaml:3:5'],
  ]);
});

test.each(['', '# nothing yet\n', 'rules: []\n', 'rules:\n#  - deny: x\n'])(
  '%j has no rules and no problems',
  (text) => {
    expect(parseRules(text, 'x.yaml')).toEqual({ rules: [], problems: [] });
  },
);

test('deny and ask rules before a syntax error still apply; allow rules do not', () => {
  const text =
    'rules:\n  - {id: a, command: touch, deny: no}\n  - {id: b, command: ls, allow: yes}\n  - {id: c, deny: [\n';
  const { rules, problems } = parseRules(text, 'x.yaml');
  expect(rules.map(({ id }) => id)).toEqual(['a']);
  expect(problems.length).toBeGreaterThan(0);
});
