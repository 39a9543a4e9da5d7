import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createShim } from '../../src/agents/kit/shim/core.ts';
import { socketPath } from '../../src/wire/socket-path.ts';
import { bashPayload, FORWARDERS, type Product, scratchProduct, until } from './product.ts';

// A daemon that ends and the next one, while calls arrive: for a moment the lock and the socket are of different daemons.

const NOT_STARTED = { HOOKLINE_NO_AUTOSTART: '1' };
const RESTARTS = 2;

/** Makes one call, and returns what went wrong with it. */
type Caller = (command: string) => Promise<string | null>;

function callersOf(product: Product): Readonly<Record<string, Caller>> {
  const { paths } = product;
  const shim = createShim({
    agent: 'opencode',
    version: '0.0.0',
    home: paths.root,
    socket: socketPath(paths.root),
    forwarder: join(paths.bin, 'hookline-forward'),
    deadlineMs: null,
    failClosed: true,
    refusals: { 'tool.execute.before': { refuse: 'Nothing could check this.' } },
  });
  const forwarders = FORWARDERS.map((forwarder) => [
    forwarder,
    async (command: string) => {
      const ran = await product.hook(forwarder, 'PreToolUse', bashPayload(command), NOT_STARTED);
      return ran.code === 0 && ran.stderr === '' ? null : `${ran.code} ${ran.stderr}`;
    },
  ]);
  const input = { tool: 'bash', sessionID: 's2', callID: 'c' };
  const byShim = async (command: string) => {
    const payload = { session_id: 's2', cwd: product.folder, input, output: { args: { command } } };
    return (await shim.ask('tool.execute.before', payload)).refuse ?? null;
  };
  return { ...Object.fromEntries(forwarders), shim: byShim };
}

test('a daemon restart under load answers and records each call once, and meets no impostor', async () => {
  // A forwarder that the shim calls starts no daemon either.
  vi.stubEnv('HOOKLINE_NO_AUTOSTART', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const product = scratchProduct();
  await product.up();
  const made: string[] = [];
  const wrong: string[] = [];
  let isOver = false;
  const calling = Object.entries(callersOf(product)).map(async ([name, call]) => {
    for (let at = 0; !isOver; at += 1) {
      const command = `echo ${name}-${at}`;
      const problem = await call(command);
      made.push(command);
      if (problem !== null) wrong.push(`${command}: ${problem}`);
    }
  });
  for (let at = 0; at < RESTARTS; at += 1) {
    const before = made.length;
    await until('calls were made', () => made.length > before + calling.length);
    await product.down();
    await product.up();
  }
  isOver = true;
  await Promise.all(calling);
  expect(wrong).toEqual([]);
  expect(existsSync(join(product.paths.run, 'impostor'))).toBe(false);
  const recorded = async () => (await product.events()).flatMap(({ tool }) => tool?.input.command ?? []);
  await until('all calls are recorded', async () => (await recorded()).length >= made.length);
  expect([...(await recorded())].sort()).toEqual([...made].sort());
  expect((await product.read(['status'])).stdout).not.toContain('took the daemon');
});
