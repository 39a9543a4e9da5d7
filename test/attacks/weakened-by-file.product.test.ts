import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failClosedFile } from '../../src/wire/fail-closed.ts';
import { BIN, bashPayload, FORWARDERS, type Product, runProgram, scratchProduct } from '../faults/product.ts';

// The same as weakened-by-file.test.ts, through the built forwarders, daemon and command line.

const OFFLINE = { HOOKLINE_NO_AUTOSTART: '1' };

/** A home whose first start was without the key of the tests, as a person's is. */
async function startedProduct(): Promise<Product> {
  const product = scratchProduct({ config: 'failure: closed\n' });
  const { scriptKeys } = product.paths;
  const keys = readFileSync(scriptKeys, 'utf8');
  rmSync(scriptKeys);
  product.rules('rules: [{ id: no-deploy, command: deploy, deny: Not from here. }]\n');
  writeFileSync(
    join(product.paths.rules, 'make.yaml'),
    'rules: [{ id: no-make, command: make, deny: No. }]\n',
  );
  await product.up();
  writeFileSync(scriptKeys, keys);
  return product;
}

/**
 * The denials of each forwarder for two calls, in sequence, because evaluating without a daemon uses a whole processor.
 */
async function denials(product: Product, env = {}): Promise<readonly boolean[]> {
  const denied: boolean[] = [];
  for (const forwarder of FORWARDERS)
    for (const command of ['deploy', 'make']) {
      const { stdout } = await product.hook(forwarder, 'PreToolUse', bashPayload(command), env);
      denied.push(stdout.includes('"deny"'));
    }
  return denied;
}

const all = (denied: boolean) => FORWARDERS.flatMap(() => [denied, denied]);

test('changes written over config.yaml and the rules need a person, and every surface reports them', async () => {
  const product = await startedProduct();
  const { paths, env, folder } = product;
  expect(await denials(product)).toEqual(all(true));
  const weaker = readFileSync(paths.config, 'utf8').replace('failure: closed', 'failure: open');
  writeFileSync(paths.config, `${weaker}disabledRules: [no-deploy]\n`);
  rmSync(join(paths.rules, 'make.yaml'));
  expect(await denials(product)).toEqual(all(true));

  await product.down();
  expect(await denials(product, OFFLINE)).toEqual(all(true));
  expect(JSON.parse(readFileSync(failClosedFile(paths.root), 'utf8'))).toMatchObject({ failure: 'closed' });
  await product.up();

  const line = '3 changes to config.yaml and 1 other file weaken protection and need your confirmation: ';
  expect((await product.run(['status'])).stdout).toContain(line);
  expect((await product.run(['rules', 'list'])).stdout).toContain(line);
  const { stdout: doctor } = await product.run(['doctor']);
  for (const part of [
    'disabledRules: no-deploy added',
    'failure: closed → open',
    'no-make: removed',
    'rules confirm',
  ])
    expect(doctor).toContain(part);

  const byAgent = await runProgram(process.execPath, [BIN, 'rules', 'confirm', '--yes'], '', env, folder);
  expect(byAgent).toMatchObject({ code: 1, stderr: expect.stringContaining('Only a person can') });
  expect(await denials(product)).toEqual(all(true));

  const shown = await product.run(['rules', 'confirm', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ lost: false, changes: [{ file: 'config.yaml' }, {}] });
  expect(await product.run(['rules', 'confirm', '--yes'])).toMatchObject({ code: 0 });
  expect(await denials(product)).toEqual(all(false));
  expect((await product.run(['status'])).stdout).not.toContain('your confirmation');
  const { stdout: access } = await product.run(['events', '--session', 'access', '--all', '--json']);
  expect(access).toContain('confirmed config.yaml (failure: closed → open, disabledRules: no-deploy added)');
  await product.down();
  expect(await denials(product, OFFLINE)).toEqual(all(false));
});

test('a person restores the confirmed version, and confirms their own additions', async () => {
  const product = await startedProduct();
  const { paths } = product;
  const before = readFileSync(paths.config, 'utf8');
  writeFileSync(paths.config, `${before}develop: /x\n`);
  writeFileSync(join(paths.rules, 'new.yaml'), 'rules: [{ id: yes, command: deploy, allow: true }]\n');
  expect(await product.run(['rules', 'confirm', '--discard', '--yes'])).toMatchObject({ code: 0 });
  expect(readFileSync(paths.config, 'utf8')).toBe(before);
  expect((await product.run(['rules', 'confirm'])).stdout).toContain('No changes need');

  expect(await product.run(['rules', 'add', 'make', '--allow', '--yes'])).toMatchObject({ code: 0 });
  expect((await product.run(['rules', 'confirm'])).stdout).toContain('No changes need');
  await product.down();
  expect(await product.run(['rules', 'add', 'ninja', '--allow', '--yes'])).toMatchObject({ code: 0 });
  expect((await product.run(['rules', 'confirm'])).stdout).toContain('No changes need');
});
