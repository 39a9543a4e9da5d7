import { expect, test } from 'vitest';
import { bashPayload, FORWARDERS, type Product, scratchProduct, until } from './product.ts';

/** Kills the daemon, and waits for the next one, which has the approval. */
async function killAsWaiting(product: Product, id: string): Promise<void> {
  const killed = await product.daemonPid();
  process.kill(killed ?? 0, 'SIGKILL');
  await until('the next daemon answers', async () => ![null, killed].includes(await product.daemonPid()));
  expect(await product.pending()).toEqual([id]);
}

test.each(FORWARDERS)(
  'an approval that was pending while the daemon was killed three times gets its answer through the %s forwarder',
  async (forwarder) => {
    const product = scratchProduct({ config: 'approvals: {hold: always}\n' });
    product.rules('rules: [{id: ask-touch, command: touch, ask: "Sure?"}]\n');
    await product.up();
    const answer = product.hook(forwarder, 'PreToolUse', bashPayload('touch a'));
    await until('the approval is pending', async () => (await product.pending()).length === 1);
    const [id = ''] = await product.pending();
    for (let kill = 0; kill < 3; kill++) await killAsWaiting(product, id);
    expect((await product.run(['deny', id, '-m', 'Not now.'])).stderr).toBe('');
    expect((await answer).stdout).toMatch(/"permissionDecision":"deny".*Not now\./);
    expect((await product.events()).map(({ tool }) => tool?.useId)).toEqual(['t1']);
  },
);
