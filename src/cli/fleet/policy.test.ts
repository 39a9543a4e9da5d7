import { expect, test } from 'vitest';
import { percentOf } from '../../fleet/policy/target.ts';
import { policyLines } from './policy.ts';

test('a machine has one line, whatever it calls itself and says', () => {
  const policy = { trusts: true, version: 1, refused: { version: 2, why: 'this\nand that' } };
  const said = { groups: [], hookline: '1', at: 'yesterday', policy };
  const machines = [{ id: 'a'.repeat(32), name: 'desk\nlaptop 1234abcd  version 9', ...said }];
  const shown = { trusts: true, problem: null, inForce: null, machines, machinesProblem: null };
  expect(policyLines(shown)).toHaveLength(2);
  expect(policyLines(shown).join('\n').split('\n')).toHaveLength(2);
});

test('while rules are on a part of the machines, each line says whether it is one', () => {
  const policy = { trusts: true, version: 1, refused: null };
  const said = { groups: [], hookline: '1', at: '2026-11-17T06:00:00Z', policy };
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'].map((digit) => digit.repeat(32));
  const machines = ids.map((id, at) => ({ id, name: at === 0 ? 'a longer name' : 'm', ...said }));
  const target = { groups: [], repositories: [], agents: [] };
  const about = (percent: number) => {
    const set = { target, files: { 'a.yaml': '' }, percent, observe: false, before: null };
    const inForce = { team: 't', version: 1, createdAt: '2026-11-17T06:00:00Z', restores: null, sets: [set] };
    const shown = { trusts: true, problem: null, inForce, machines, machinesProblem: null };
    return policyLines(shown).slice(2);
  };
  const isIn = ids.map((id) => percentOf(id) < 50);
  expect(new Set(isIn).size).toBe(2);
  expect(about(50).map((line) => / {2}in the 50%$/.test(line))).toEqual(isIn);
  expect(about(50).filter((line) => / {2}not in the 50% \(included from \d+%\)$/.test(line))).toHaveLength(
    isIn.filter((one) => !one).length,
  );
  expect(about(100).join()).not.toContain('%');
  expect(new Set(about(100).map((line) => line.indexOf('version 1'))).size).toBe(1);
});
