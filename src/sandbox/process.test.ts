import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stopClock } from '../../test/support/clock.ts';
import { isRunning } from '../../test/support/processes.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { until } from '../../test/support/until.ts';
import { messageOf } from '../model/errors.ts';
import { DeadlineError, run } from './process.ts';

const here = { cwd: process.cwd(), env: { PATH: process.env.PATH ?? '' } };

test('a program gets its input and nothing of our environment', async () => {
  const finished = await run('/bin/sh', ['-c', 'cat; echo "$HOME" >&2; exit 3'], { ...here, input: 'in' });
  expect(finished).toEqual({ code: 3, stdout: 'in', stderr: '\n' });
});

test('kills a program and its children at the deadline', async () => {
  const clock = stopClock();
  const printed = join(scratchFolder(), 'printed');
  const script = `sleep 600 & echo $!; : > ${printed}; wait`;
  const running = run('/bin/sh', ['-c', script], { ...here, deadlineMs: 500 }).catch((cause) => cause);
  await until(() => existsSync(printed));
  await clock.advance(500);
  const failed = await running;
  expect(failed).toBeInstanceOf(DeadlineError);
  const child = Number(/stdout: (\d+)/.exec(messageOf(failed))?.[1]);
  expect(child).toBeGreaterThan(1);
  await until(() => !isRunning(child));
});

test('kills a program that prints without end before memory is full', async () => {
  const error = await run('/bin/sh', ['-c', 'exec yes'], here).catch(messageOf);
  expect(error).toContain('printed more than 32 MB');
  expect(`${error}`.length).toBeLessThan(10_000);
});

test('a missing program is an error', async () => {
  await expect(run('/no/such/program', [], here)).rejects.toThrow('ENOENT');
});
