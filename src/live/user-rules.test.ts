import { expect, test } from 'vitest';
import { AGENTS } from '../agents/_registry.ts';
import { ruleChecks } from './user-rules.ts';

// With rules that deny something, the product itself is asked: test/clients/live.test.ts.

test('does not silently ignore an invalid rule', async () => {
  const [agent] = AGENTS.values();
  if (!agent) throw new Error('there is no agent');
  const text = 'rules:\n  - commnd: ls\n    deny: No.\n';
  expect(await ruleChecks(agent, [{ name: 'mine.yaml', text }])).toEqual({
    checks: [],
    untried: [
      {
        kind: 'rule',
        name: 'mine.yaml:2:5',
        state: 'untried',
        expected: 'a rule that is understood',
        seen: 'commnd: unknown key; did you mean command?',
      },
    ],
  });
});
