import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLIENTS } from '../agents/_clients.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { deny } from './checks/denials.ts';
import { planOf } from './play-checks.ts';
import { ruleCheck } from './user-rules.ts';

test("tests the user's rules from files of any name, including the one that checks write to", async () => {
  const client = await Object.values(CLIENTS)[0]?.();
  if (!client) throw new Error('there is no client');
  const text = 'rules:\n  - {id: no-destroy, command: terraform destroy, deny: By people.}\n';
  const check = ruleCheck('no-destroy', 'terraform destroy', [{ name: 'rules.yaml', text }]);
  const sandbox = await openSandbox();
  onTestFinished(sandbox.close);
  const plan = planOf(client, [check]);
  await plan.prepare?.(sandbox);
  expect(await readFile(join(sandbox.hooklineHome, 'rules', 'rules.yaml'), 'utf8')).toBe(text);
  // What a scene writes after that.
  expect(plan.rules).toBeUndefined();
  expect(planOf(client, [deny]).rules).toContain('no-touch');
});
