import { expect, test } from 'vitest';
import { factsOf, shellCall } from '../../test/support/rules/rules.ts';
import { openPack, packNames } from './pack.ts';
import { EXAMPLE_PLACES } from './places/example.ts';
import type { Rule } from './rule.ts';
import { indexRules } from './rule-index.ts';

const rules = packNames().flatMap((name) => openPack(name, false, EXAMPLE_PLACES).rules());
const index = indexRules(rules);

function denying(command: string): Rule[] {
  const facts = factsOf(shellCall(command));
  return index
    .candidates(facts)
    .filter(({ response, on, afterRefusal }) => {
      return response.decision === 'deny' && on.has('before_tool') && !afterRefusal;
    })
    .filter((rule) => rule.test(facts));
}

/** Commands that a text suggests to the model, in backticks. Those of Hookline are for the user. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, command = '']) =>
    command.startsWith('hookline ') ? [] : [command],
  );

test('no next step suggests a call that another rule denies', () => {
  const recommended = rules.flatMap((rule) =>
    commandsIn(rule.next ?? '').map((command) => ({ rule, command })),
  );
  const refused = recommended.flatMap(({ rule, command }) =>
    denying(command).map(({ id }) => `${rule.id} recommends \`${command}\`, which ${id} refuses`),
  );
  expect(recommended.length).toBeGreaterThan(5);
  expect(refused).toEqual([]);
});

test('no pass example of a rule is denied by another rule', () => {
  const examples = rules.flatMap((rule) =>
    rule.examples().pass.flatMap((example) => (typeof example === 'string' ? [{ rule, example }] : [])),
  );
  const refused = examples.flatMap(({ rule, example }) =>
    denying(example).map(({ id }) => `${rule.id} shows \`${example}\`, which ${id} refuses`),
  );
  expect(refused).toEqual([]);
});
