import { expect, test } from 'vitest';
import { approvals } from './attacks/self-approval.ts';
import { BEST_FORWARDER, bashPayload, type Product, scratchProduct, until } from './faults/product.ts';

/** A call that waits for an answer from the command line. */
async function asked(product: Product) {
  const answer = product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('touch x'));
  await until('the call waits', async () => (await product.pending()).length > 0);
  const [id = ''] = await product.pending();
  return { id, answer };
}

async function opened() {
  const product = scratchProduct({ config: approvals });
  product.rules('rules:\n  - { id: ask-touch, command: touch, ask: Look at this. }\n');
  await product.up();
  return product;
}

const own = (stdout: string) => JSON.parse(stdout).hookSpecificOutput;

test('`deny --scope` also denies the next similar call, and `grants` shows it', async () => {
  const product = await opened();
  const { id, answer } = await asked(product);
  const said = await product.run(['deny', id, '--scope', 'project', '--message', 'Not here.']);
  expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('Denied') });
  expect(own((await answer).stdout)).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: 'Not here.',
  });
  const again = await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('touch x'));
  expect(own(again.stdout)).toMatchObject({ permissionDecision: 'deny' });
  expect((await product.run(['grants', 'list'])).stdout).toContain('touch x');
});

test('`leave` hands the question to the agent, only this time', async () => {
  const product = await opened();
  const first = await asked(product);
  expect(await product.run(['leave', first.id])).toMatchObject({ code: 0 });
  expect(own((await first.answer).stdout)).toMatchObject({ permissionDecision: 'ask' });
  const second = await asked(product);
  expect(await product.run(['deny', second.id, '--scope', 'forever'])).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringContaining('--scope takes one of'),
  });
  await product.run(['deny', second.id]);
  expect(own((await second.answer).stdout)).toMatchObject({ permissionDecision: 'deny' });
});
