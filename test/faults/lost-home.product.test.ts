import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endProcessesOf, processesOf } from '../../src/sandbox/processes.ts';
import { isRunning } from '../support/processes.ts';
import { BIN, scratchProduct, until } from './product.ts';

test('a daemon exits when its home is deleted, and the home does not come back', async () => {
  const { up, paths, folder, daemonPid } = scratchProduct();
  await up();
  const pid = (await daemonPid()) ?? 0;
  expect(processesOf(folder)).toContain(pid);
  // The daemon may write into it meanwhile.
  rmSync(paths.root, { recursive: true, maxRetries: 10 });
  await until('the daemon ends', () => !isRunning(pid));
  expect(existsSync(paths.root)).toBe(false);
  expect(processesOf(folder)).toEqual([]);
});

test('a daemon does not start if its home is deleted during the start', async () => {
  const { env, paths, folder } = scratchProduct();
  // A shell first, so that its folder is gone for certain when the daemon begins.
  const script = `read go; exec ${process.execPath} ${BIN} daemon --quiet`;
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: paths.root,
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const aside = join(folder, 'aside');
  renameSync(paths.root, aside);
  rmSync(aside, { recursive: true });
  child.stdin.end('go\n');
  expect(await ended).not.toBe(0);
  expect(existsSync(paths.root)).toBe(false);
});

test('a sandbox ends only the processes in its directory', async () => {
  const { env, folder } = scratchProduct();
  const other = scratchProduct();
  const sleeper = (variables: Readonly<Record<string, string>>) => {
    const child = spawn('/bin/sleep', ['600'], { env: variables, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const home = join(folder, 'user');
  mkdirSync(home);
  const mine = [sleeper(env), sleeper({ HOME: home })];
  const foreign = sleeper(other.env);
  const ended = mine.map(
    (child) => new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal))),
  );
  await endProcessesOf(folder);
  expect(await Promise.all(ended)).toEqual(['SIGKILL', 'SIGKILL']);
  expect(isRunning(foreign.pid ?? 0)).toBe(true);
});
