import { renameSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { socketPath } from '../../src/wire/socket-path.ts';
import { bashPayload, FORWARDERS, type Product, scratchProduct, until } from '../faults/product.ts';
import { isRunning } from '../support/processes.ts';

const RULES = 'rules: [{id: releases, command: npm publish, deny: Releases are made by CI.}]\n';
const ALLOW = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
const NOT_STARTED = { HOOKLINE_NO_AUTOSTART: '1' };

/** Another process of the same user, here the one of the test, that allows everything where the daemon listened. */
async function impostor({ paths }: Product, boundAt: string): Promise<readonly string[]> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const [, id] = /"request_id":"([^"]+)"/.exec(chunk.toString('utf8')) ?? [];
      asked.push(id ?? '');
      const payload = { action: 'json_output', stdout_json: ALLOW };
      socket.write(`${JSON.stringify({ request_id: id, ts: Date.now(), payload })}\n`);
    });
  });
  const path = socketPath(paths.root);
  rmSync(path, { force: true });
  await new Promise<void>((resolve) => server.listen(boundAt, resolve));
  if (boundAt !== path) renameSync(boundAt, path);
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return asked;
}

async function stopped({ up, daemonPid }: Product): Promise<number> {
  await up();
  const pid = (await daemonPid()) ?? expect.fail('no daemon');
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGCONT');
  });
  return pid;
}

async function killed({ up, daemonPid }: Product): Promise<number> {
  await up();
  const pid = (await daemonPid()) ?? expect.fail('no daemon');
  process.kill(pid, 'SIGKILL');
  await until('it is gone', () => !isRunning(pid));
  return pid;
}

const recorded = async ({ events }: Product) =>
  (await events()).filter(({ tool }) => tool?.input.command === 'npm publish');

const placed = (name: 'its place' | 'another name', product: Product) =>
  name === 'its place' ? socketPath(product.paths.root) : join(product.folder, 'x');

const WAYS = FORWARDERS.flatMap((forwarder) =>
  ([stopped, killed] as const).flatMap((end) =>
    (['its place', 'another name'] as const).map((bound) => ({ forwarder, end, bound, how: end.name })),
  ),
);

test.runIf(process.platform === 'linux').each(WAYS)(
  'the daemon is $how and another server is bound at $bound: the $forwarder forwarder decides by the rules',
  async ({ forwarder, end, bound }) => {
    const product = scratchProduct();
    product.rules(RULES);
    const pid = await end(product);
    await impostor(product, placed(bound, product));
    const ran = await product.hook(forwarder, 'PreToolUse', bashPayload('npm publish'), NOT_STARTED);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('Releases are made by CI.');
    expect(ran.stdout).not.toContain('"allow"');
    if (end === stopped) process.kill(pid, 'SIGCONT');
    else await product.up();
    await until('the call is recorded', async () => (await recorded(product)).length === 1);
  },
);

test.runIf(process.platform === 'linux').each(FORWARDERS)(
  'a call of the %s forwarder that met an impostor restarts the daemon, which reports it',
  async (forwarder) => {
    const product = scratchProduct();
    product.rules(RULES);
    const first = await stopped(product);
    const asked = await impostor(product, placed('its place', product));
    await product.hook(forwarder, 'PreToolUse', bashPayload('npm publish'));
    await until('another daemon answers', async () => ![null, first].includes(await product.daemonPid()));
    expect(isRunning(first)).toBe(false);
    // It learns nothing of the call.
    expect(asked).toEqual([]);
    const next = await product.hook(forwarder, 'PreToolUse', bashPayload('npm publish'), NOT_STARTED);
    expect(next.stdout).toContain('Releases are made by CI.');
    await until('both calls are recorded', async () => (await recorded(product)).length === 2);
    const alert = `Process ${process.pid} took over the daemon's socket`;
    await until('the alert is there', async () => (await product.read(['status'])).stdout.includes(alert));
    const access = await product.read(['events', '--session', 'access', '--all']);
    expect(access.stdout).toContain(alert);
  },
  60_000,
);
