import { expect, test, vi } from 'vitest';
import { scratchProduct } from './faults/product.ts';

const RULE = ['rules', 'add', 'npm publish', '--deny', 'CI publishes.', '--yes'];

test('rule changes by a command are history events with their author, with a daemon and without', async () => {
  const product = scratchProduct();
  const said = async () => {
    const { stdout } = await product.read(['events', '--json', '--all']);
    return stdout;
  };
  expect(await product.run(RULE)).toMatchObject({ code: 0 });
  await product.up();
  const waiting = { timeout: 60_000 };
  await vi.waitFor(async () => expect(await said()).toMatch(/test.*added the rule npm-publish/), waiting);
  expect(await product.run(['rules', 'add', 'yarn publish', '--deny', 'No.', '--yes'])).toMatchObject({
    code: 0,
  });
  await vi.waitFor(async () => expect(await said()).toMatch(/test.*added the rule yarn-publish/), waiting);
});
