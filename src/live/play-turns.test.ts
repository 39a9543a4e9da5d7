import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { checkAgent } from './check-agent.ts';
import { runnableAgent } from './client-program.ts';
import { playTurns } from './play-turns.ts';

test('a client that never ends is not waited for in every turn, and nothing of it holds', async () => {
  const found = await runnableAgent('claude');
  let turns = 0;
  const rows = await playTurns({ ...found, program: '/none', cache: '/none' }, [], async (_, turn) => {
    turns += 1;
    return { ...turn, problem: 'it did not end', how: 'hung' };
  });
  // Two at once may both have begun before the first of them is given up.
  expect(turns).toBeLessThanOrEqual(3);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ state, kind }) => kind !== 'payload' && state !== 'broken')).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'a client that is asked for its version makes files in no home',
  async () => {
    const found = await runnableAgent('claude');
    const folder = scratchFolder();
    const program = join(folder, 'claude');
    const asked = join(folder, 'asked');
    writeFileSync(program, `#!/bin/sh\necho "$HOME" > ${asked}\ntouch "$HOME/.left"\necho 2.1.0\n`, {
      mode: 0o755,
    });
    await expect(checkAgent({ ...found, program, signal: AbortSignal.abort() })).rejects.toThrow();
    expect(existsSync(asked)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['asked', 'claude']);
  },
);
