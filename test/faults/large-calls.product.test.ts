import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { socketPath } from '../../src/wire/socket-path.ts';
import { bashPayload, FORWARDERS, type Product, scratchProduct } from './product.ts';

const MEGABYTE = 1_000_000;
const result = (id: string, bytes: number) =>
  bashPayload('cat all', {
    hook_event_name: 'PostToolUse',
    tool_use_id: id,
    tool_response: { stdout: 'a line of text\n'.repeat(bytes / 16), stderr: '' },
  });

/** What a forwarder leaves that did not wait for the daemon. */
function leftBy({ paths }: Product): readonly string[] {
  const spooled = existsSync(paths.spool) ? readdirSync(paths.spool) : [];
  return existsSync(join(paths.root, 'run/silent')) ? [...spooled, 'silent'] : spooled;
}

describe.each(FORWARDERS)('%s', (forwarder) => {
  test('a large call waits for one that has the place and stops halfway', { timeout: 120_000 }, async () => {
    const product = scratchProduct();
    await product.up();
    const stopped = connect(socketPath(product.paths.root));
    onTestFinished(() => void stopped.destroy());
    const closed = new Promise((resolve) => stopped.on('close', resolve));
    const head = { request_id: 'stopped', ts: Date.now(), agent: 'claude', accepts: ['hold_ms', 'error'] };
    stopped.write(`${JSON.stringify(head).slice(0, -1)},"payload":{"a":"${'x'.repeat(300_000)}`);
    // It hears that it has the place, or waits for one.
    await new Promise((resolve) => stopped.once('data', resolve));
    const ran = await product.hook(forwarder, 'PostToolUse', result('waits', 3 * MEGABYTE));
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(leftBy(product)).toEqual([]);
    await closed;
    expect((await product.events()).map(({ tool }) => tool?.useId)).toEqual(['waits']);
  });
});

test('answers each of many concurrent large calls, and small ones in between', {
  timeout: 300_000,
}, async () => {
  const product = scratchProduct();
  await product.up();
  const forwarder = FORWARDERS[0] ?? 'node';
  const ids = Array.from({ length: 24 }, (_, at) => `large-${at}`);
  const large = Promise.all(
    ids.map((id) => product.hook(forwarder, 'PostToolUse', result(id, 2 * MEGABYTE))),
  );
  const small = await product.hook(forwarder, 'PreToolUse', bashPayload('ls', { tool_use_id: 'small' }));
  expect(small.code).toBe(0);
  expect((await large).filter(({ code }) => code !== 0)).toEqual([]);
  const recorded = (await product.events()).map(({ tool }) => tool?.useId);
  expect(recorded.sort()).toEqual([...ids, 'small'].sort());
});
