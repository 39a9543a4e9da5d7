import { expect, test } from 'vitest';
import { stopClock } from '../../test/support/clock.ts';
import { runProcess } from './process.ts';

test("reads a program's output to the end, and keeps up to a megabyte of each stream", async () => {
  stopClock();
  const print = (letter: string) => `head -c 5000000 /dev/zero | tr '\\0' ${letter}`;
  const run = await runProcess({
    program: '/bin/sh',
    args: ['-c', `${print('o')}; ${print('e')} >&2; exit 3`],
    cwd: null,
    env: { PATH: process.env.PATH },
    stdin: '',
    budgetMs: 1,
  });
  expect({ ...run, stdout: run.stdout.length, stderr: run.stderr.length }).toEqual({
    exit: 3,
    stdout: 1 << 20,
    stderr: 1 << 20,
    timedOut: false,
  });
  expect(run.stdout).toMatch(/^o+$/);
});
