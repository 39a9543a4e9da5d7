import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../support/processes.ts';
import { BEST_FORWARDER, bashPayload, FORWARDERS, type Product, scratchProduct, until } from './product.ts';

const RULES = 'rules:\n  - command: touch\n    deny: Files are made by hand here.\n';
const HERD = 8;
const NOT_STARTED = { HOOKLINE_NO_AUTOSTART: '1' };

/** A daemon that a signal has stopped; it wakes up with the test. */
async function frozen({ up, daemonPid }: Product): Promise<number> {
  await up();
  const pid = (await daemonPid()) ?? 0;
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGCONT');
  });
  return pid;
}

test.each(FORWARDERS)(
  'a frozen daemon delays no call of the %s forwarder for long, and loses none',
  async (forwarder) => {
    const product = scratchProduct();
    const { hook, paths, rules, daemonPid, events } = product;
    rules(RULES);
    const pid = await frozen(product);
    const call = (command: string) =>
      hook(forwarder, 'PreToolUse', bashPayload(command, { tool_use_id: command }), NOT_STARTED);
    const first = await call('touch a');
    expect(first.stdout).toContain('Files are made by hand here.');
    // The next calls do not wait for it again.
    expect(existsSync(join(paths.run, 'silent'))).toBe(true);
    expect((await call('touch b')).stdout).toContain('Files are made by hand here.');
    expect(await call('ls')).toEqual({ code: 0, stdout: '', stderr: '' });

    process.kill(pid, 'SIGCONT');
    await until('it answers again', async () => (await daemonPid()) === pid);
    expect((await call('touch c')).stdout).toContain('Files are made by hand here.');
    await until('all calls are there', async () => (await events()).length >= 4);
    const uses = (await events()).map(({ tool }) => tool?.useId);
    expect([...uses].sort()).toEqual(['ls', 'touch a', 'touch b', 'touch c']);
  },
);

test('uses a daemon that wakes up late while the fallback has no answer', async () => {
  const product = scratchProduct();
  const { hook, folder, paths, rules } = product;
  rules(RULES);
  const pid = await frozen(product);
  const settings = join(paths.bin, 'forwarder.json');
  const hanging = join(folder, 'hanging.js');
  writeFileSync(hanging, 'setInterval(() => {}, 1e6);\n');
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), script: hanging }));
  const answer = hook(BEST_FORWARDER, 'PreToolUse', bashPayload('touch a'), NOT_STARTED);
  await until('its time is over', () => existsSync(join(paths.run, 'silent')));
  process.kill(pid, 'SIGCONT');
  expect((await answer).stdout).toContain('Files are made by hand here.');
});

test('a busy daemon says so and evaluates the call itself', async () => {
  const product = scratchProduct();
  const { hook, up, paths, events } = product;
  const slow = join(product.folder, 'slow.sh');
  const ran = join(product.folder, 'ran');
  writeFileSync(slow, `#!/bin/sh\nsleep 1\necho x >> ${ran}\n`);
  chmodSync(slow, 0o755);
  writeFileSync(
    paths.hooksFile,
    `hooks:\n  - name: slow\n    type: command\n    dialect: claude\n    event: PreToolUse\n    command: ${slow}\n`,
  );
  await up();
  for (const forwarder of FORWARDERS) {
    const answer = await hook(
      forwarder,
      'PreToolUse',
      bashPayload('ls', { tool_use_id: forwarder }),
      NOT_STARTED,
    );
    expect(answer).toEqual({ code: 0, stdout: '', stderr: '' });
  }
  // Once for each call: no other process judged it meanwhile.
  expect(readFileSync(ran, 'utf8')).toBe('x\n'.repeat(FORWARDERS.length));
  expect(await events()).toHaveLength(FORWARDERS.length);
});

test.each(FORWARDERS)(
  'many calls of the %s forwarder without a daemon start one, which evaluates most of them',
  async (forwarder) => {
    const product = scratchProduct();
    const { hook, paths, rules, daemonPid, events } = product;
    rules(RULES);
    rmSync(paths.run, { recursive: true, force: true });
    const calls = Array.from({ length: HERD }, (_, at) =>
      hook(forwarder, 'PreToolUse', bashPayload(`touch ${at}`, { tool_use_id: `t${at}` })),
    );
    for (const { stdout, code, stderr } of await Promise.all(calls)) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Files are made by hand here.');
    }
    await until('one daemon answers', async () => (await daemonPid()) !== null);
    await until('all calls are there', async () => (await events()).length >= HERD);
    expect(new Set((await events()).map(({ tool }) => tool?.useId)).size).toBe(HERD);
    expect(existsSync(join(paths.run, 'starting'))).toBe(false);
  },
);

test('an extra daemon exits without blocking the next start', async () => {
  const { run, up, paths, daemonPid } = scratchProduct();
  await up();
  const pid = await daemonPid();
  const mark = join(paths.run, 'starting');
  writeFileSync(mark, '');
  expect((await run(['daemon', '--quiet'])).code).toBe(1);
  expect(existsSync(mark)).toBe(false);
  expect(await daemonPid()).toBe(pid);
});

test('the next call replaces a frozen daemon, and `status`, `down` and `up` find it without its file', async () => {
  const product = scratchProduct();
  const { hook, paths, run, read, daemonPid } = product;
  const first = await frozen(product);
  rmSync(paths.daemon);
  expect((await read(['status'])).stdout).toContain(`pid ${first}`);
  await hook(BEST_FORWARDER, 'PreToolUse', bashPayload('ls'));
  await until('another one answers', async () => ![null, first].includes(await daemonPid()));
  expect(isRunning(first)).toBe(false);

  const second = (await daemonPid()) ?? 0;
  process.kill(second, 'SIGSTOP');
  onTestFinished(() => {
    if (isRunning(second)) process.kill(second, 'SIGCONT');
  });
  expect((await run(['down'])).stdout).toBe('Stopped.\n');
  expect(isRunning(second)).toBe(false);
  expect((await run(['up'])).stdout).toContain('Started');
}, 180_000);
