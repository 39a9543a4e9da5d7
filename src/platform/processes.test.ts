import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isGroupRunning, isRunning, kill, signalGroup } from './processes.ts';

async function ended(end: (pid: number) => void): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  expect(isRunning(pid)).toBe(true);
  end(pid);
  await once(child, 'exit');
  return pid;
}

test("a killed process has ended, and killing it again isn't an error", async () => {
  const pid = await ended(kill);
  expect(isRunning(pid)).toBe(false);
  kill(pid);
});

test('a group gets a signal together', async () => {
  const pid = await ended((one) => {
    expect(isGroupRunning(one)).toBe(true);
    signalGroup(one, 'SIGTERM');
  });
  expect(isGroupRunning(pid)).toBe(false);
  signalGroup(pid, 'SIGKILL');
});
