import { expect, test } from 'vitest';
import { matches } from '../../../test/support/rules/rules.ts';
import { parseRules } from '../files/load.ts';

test.each([
  // Deeds from the knowledge file of a program.
  ['act: pay, object: capacity', 'aws ec2 run-instances', true],
  ['act: pay, object: capacity', 'sudo aws ec2 run-instances', true],
  ['act: pay, object: capacity', 'aws ec2 describe-instances', false],
  ['act: pay, object: capacity', 'aws ec2 run-instances --dry-run', false],
  ['act: pay', 'aws ec2 run-instances', true],
  ['object: capacity', 'aws ec2 run-instances', true],
  ['act: [remove, pay], object: [path, capacity]', 'hcloud server create', true],
  ['act: [remove, stop], object: capacity', 'hcloud server create', false],
  ['act: persist, object: tool-server', 'some-agent mcp add x', true],
  // Deeds from effects.
  ['act: remove, object: path', 'rm x', true],
  ['act: remove, object: path', 'mv x y', false],
  ['act: remove, object: infrastructure', 'terraform destroy', true],
  ['act: remove', 'git reset --hard', true],
  // Both must hold.
  ['act: pay, object: capacity, effects: network sends', 'aws ec2 run-instances', false],
  ['act: pay, object: capacity, command: terraform', 'aws ec2 run-instances', false],
  // A possible effect doesn't count.
  ['act: remove, object: path, certainty: certain', 'rm x', true],
])('%s on %j is %s', (rule, command, expected) => {
  expect(matches(rule, command)).toBe(expected);
});

test.each([
  ['aws ec2 run-instances; hcloud server create', true],
  ['aws ec2 run-instances', false],
])('an exception applies to the command that does it: %s', (command, expected) => {
  expect(matches('act: pay, object: capacity, unless: { command: aws }', command)).toBe(expected);
});

test.each([
  ['rm x', false],
  ['aws ec2 run-instances', true],
  ['aws ec2 run-instances; rm x', true],
  // It does both.
  ['mimikatz', true],
])('or to the deed: %s', (command, expected) => {
  const rule = 'act: [pay, remove, read], object: [capacity, path, token, machine-secret]';
  expect(matches(`${rule}, unless: [{ act: remove, object: path }, { object: token }]`, command)).toBe(
    expected,
  );
});

test.each([
  ['rm x; git reset --hard', true],
  ['rm x', false],
])('or to the effect that counts as the deed: %s', (command, expected) => {
  expect(matches('act: remove, object: [path, work], unless: { effects: delete }', command)).toBe(expected);
});

test.each([
  ['act: paint, deny: no', 'act: must be an act'],
  ['act: pay, object: moon, deny: no', 'object: must be an object'],
  ['act: read, object: token, allow: yes', 'has act or object but allows'],
])('{%s} is rejected', (rule, problem) => {
  const { problems } = parseRules(`rules: [{ ${rule} }]`, 'x.yaml');
  expect(problems.map(({ message }) => message).join()).toContain(problem);
});
