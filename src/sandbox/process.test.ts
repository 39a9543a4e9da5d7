import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { messageOf } from '../model/errors.ts';
import { DeadlineError, run } from './process.ts';

const here = { cwd: process.cwd(), env: { PATH: process.env.PATH ?? '' } };

test('a program gets its input and nothing of our environment', async () => {
  const finished = await run('/bin/sh', ['-c', 'cat; echo "$HOME" >&2; exit 3'], { ...here, input: 'in' });
  expect(finished).toEqual({ code: 3, stdout: 'in', stderr: '\n' });
});

test('past its deadline a program is killed with what it started', async () => {
  const script = 'sleep 600 & echo $!; wait';
  const failed = await run('/bin/sh', ['-c', script], { ...here, deadlineMs: 500 }).catch((cause) => cause);
  expect(failed).toBeInstanceOf(DeadlineError);
  const error = messageOf(failed);
  const child = Number(/stdout: (\d+)/.exec(`${error}`)?.[1]);
  expect(child).toBeGreaterThan(1);
  await expect.poll(() => isRunning(child)).toBe(false);
});

test('a program that prints without end is killed before it fills the memory', async () => {
  const error = await run('/bin/sh', ['-c', 'exec yes'], here).catch(messageOf);
  expect(error).toContain('printed more than 32 MB');
  expect(`${error}`.length).toBeLessThan(10_000);
});

test('a program that does not exist is an error', async () => {
  await expect(run('/no/such/program', [], here)).rejects.toThrow('ENOENT');
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Killed, but not yet buried by its parent: in a container that may take a while.
  const stat = `/proc/${pid}/stat`;
  return !(existsSync(stat) && readFileSync(stat, 'utf8').includes(') Z '));
}
