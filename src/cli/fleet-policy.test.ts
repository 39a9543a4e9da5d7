import { expect, test } from 'vitest';
import { policyLines } from './fleet-policy.ts';

test('a machine has one line, whatever it calls itself and says', () => {
  const policy = { trusts: true, version: 1, refused: { version: 2, why: 'this\nand that' } };
  const said = { groups: [], hookline: '1', at: 'yesterday', policy };
  const machines = [{ id: 'a'.repeat(32), name: 'desk\nlaptop 1234abcd  version 9', ...said }];
  const shown = { trusts: true, problem: null, inForce: null, machines, machinesProblem: null };
  expect(policyLines(shown)).toHaveLength(2);
  expect(policyLines(shown).join('\n').split('\n')).toHaveLength(2);
});
