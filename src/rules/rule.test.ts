import * as v from 'valibot';
import { expect, test } from 'vitest';
import { plainWorld, rulesIn, shellCall } from '../../test/support/rules/rules.ts';
import { none } from '../model/responses.ts';
import { createRulesHandler } from './handler.ts';
import { FROM_TEXT } from './match/pattern-reader.ts';
import { compileLater } from './rule.ts';
import { indexRules } from './rule-index.ts';
import { ruleFileSchema } from './schema.ts';
import { createSessionMemory } from './session/memory.ts';

test('a rule that turns out to be unreadable counts as matching, and the others are evaluated', () => {
  const rule = { deny: 'no', writes: '/srv/**', unless: { command: "'" } };
  const [text] = v.parse(ruleFileSchema, { rules: [rule] }).rules;
  if (!text) throw new Error('no rule');
  const origin = { id: 'later', where: 'test.yaml', layer: 'pack', pack: 'test', observing: false } as const;
  const later = compileLater(text, origin, FROM_TEXT);
  if ('problem' in later) throw new Error(later.problem);
  const index = indexRules([later, ...rulesIn('rules: [{id: own, ask: sure, command: touch}]')]);
  const handler = createRulesHandler({
    rulesFor: () => ({ index, problems: [] }),
    world: plainWorld,
    memory: createSessionMemory(),
    failed: () => none(),
  });
  expect(handler.decide(shellCall('touch /srv/x'))).toMatchObject([
    { by: 'later', response: { decision: 'deny', reason: expect.stringContaining('counts as a match') } },
    { by: 'own', response: { decision: 'ask' } },
  ]);
});
