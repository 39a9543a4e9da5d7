import { expect, test } from 'vitest';
import { BEST_FORWARDER, bashPayload, scratchProduct } from '../faults/product.ts';
import { HOSTILE } from '../support/redact/hostile.ts';

const LENGTH = 60_000;
/** Texts that once took 15 s each to redact, and later ones made for that purpose. */
const OUTPUTS = HOSTILE.map(({ text }) => text(LENGTH));
const SECRET = 'hunter22-x';

const printed = (stdout: string) =>
  bashPayload('cat x', {
    hook_event_name: 'PostToolUse',
    tool_response: { stdout: `${stdout}\nDB_PASSWORD=${SECRET}\n`, stderr: '' },
  });

test('output that is costly to redact blocks neither the spool, nor the start, nor the daemon', async () => {
  const { run, read, hook, events } = scratchProduct();
  const some = OUTPUTS.slice(0, 6);
  for (const output of some) {
    const { code } = await hook(BEST_FORWARDER, 'PostToolUse', printed(output), {
      HOOKLINE_NO_AUTOSTART: '1',
    });
    expect(code).toBe(0);
  }
  // Spooled text is redacted again when the daemon reads it.
  expect((await run(['up'])).code).toBe(0);
  expect(await events()).toHaveLength(some.length);
  for (const output of OUTPUTS) {
    const { code } = await hook(BEST_FORWARDER, 'PostToolUse', printed(output));
    expect(code).toBe(0);
  }
  const stored = await events();
  expect(stored).toHaveLength(some.length + OUTPUTS.length);
  expect((await read(['export'])).stdout).not.toContain(SECRET);
});
