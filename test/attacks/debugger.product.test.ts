import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BEST_FORWARDER, BIN, bashPayload, scratchProduct } from '../faults/product.ts';

const SIGNALS = 20;

test.skipIf(process.platform === 'win32')('an agent cannot open a debugger in the daemon', async () => {
  const product = scratchProduct();
  product.rules('rules: [{id: releases, command: npm publish, deny: Releases are made by CI.}]\n');
  expect(await product.run(['up'])).toMatchObject({ code: 0 });
  const pid = await product.daemonPid();
  if (pid === null) throw new Error('no daemon');
  for (let times = 0; times < SIGNALS; times += 1) {
    // Equivalent to `process._debugProcess(pid)`.
    process.kill(pid, 'SIGUSR1');
    const { stdout } = await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('npm publish'));
    expect(stdout).toContain('Releases are made by CI.');
  }
  expect(readFileSync(join(product.paths.log, 'daemon.out'), 'utf8')).not.toContain('Debugger');
  expect(await product.daemonPid()).toBe(pid);
});

test.runIf(process.platform === 'linux')('does not run the daemon in its home directory', async () => {
  const product = scratchProduct();
  await product.up();
  expect(readlinkSync(`/proc/${await product.daemonPid()}/cwd`)).toBe('/');
});

test.runIf(process.platform === 'linux')('nor in `mcp`, which runs next to a session', async () => {
  const product = scratchProduct({ packs: 'default' });
  await product.up();
  const mcp = spawn(process.execPath, [BIN, 'mcp'], { env: product.env, cwd: product.folder });
  const errors: Buffer[] = [];
  mcp.stderr.on('data', (data: Buffer) => errors.push(data));
  const answered = async (method: string, params: object) => {
    mcp.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
    return String(await once(mcp.stdout, 'data'));
  };
  try {
    const client = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    await answered('initialize', client);
    for (let times = 0; times < SIGNALS; times += 1) mcp.kill('SIGUSR1');
    expect(await answered('ping', {})).toContain('result');
    expect(Buffer.concat(errors).toString()).not.toContain('Debugger');
    const kill = bashPayload(`kill -USR1 ${mcp.pid}`);
    expect((await product.hook(BEST_FORWARDER, 'PreToolUse', kill)).stdout).toContain('"deny"');
  } finally {
    mcp.stdin.end();
    await once(mcp, 'close');
  }
});
