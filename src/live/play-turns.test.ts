import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { checkAgent } from './check-agent.ts';
import { runnableAgent } from './client-program.ts';
import { playTurns } from './play-turns.ts';
import { isUnended } from './report.ts';

test('a client that never ends is not waited for in every turn, and no guard of it is called broken', async () => {
  const found = await runnableAgent('claude');
  let turns = 0;
  const rows = await playTurns({ ...found, program: '/none', cache: '/none' }, [], async (_, turn) => {
    turns += 1;
    return { ...turn, problem: 'it did not end', how: 'hung' };
  });
  // Two at once may both have begun before the first of them is given up.
  expect(turns).toBeLessThanOrEqual(3);
  expect(rows.length).toBeGreaterThan(5);
  const judged = rows.filter(({ kind }) => kind !== 'payload' && kind !== 'run');
  expect(judged.filter(({ state }) => state !== 'untried')).toEqual([]);
  expect(rows).toContainEqual(
    expect.objectContaining({ kind: 'run', state: 'broken', seen: 'it did not end' }),
  );
  expect(isUnended({ rows })).toBe(true);
});

test('one turn that does not end is told, also where the first one did', async () => {
  const found = await runnableAgent('claude');
  const finished = { code: 0, stdout: '', stderr: '' };
  let turns = 0;
  const rows = await playTurns({ ...found, program: '/none', cache: '/none' }, [], async (_, turn) => {
    turns += 1;
    if (turns > 1) return { ...turn, problem: 'it did not end', how: 'hung' };
    const judged = turn.checks.map((check) => ({ check, mismatches: [] }));
    return { ...turn, turn: { finished, wanted: [], events: [], isModelAsked: true, judged } };
  });
  expect(rows.some(({ state }) => state === 'holds')).toBe(true);
  expect(rows).toContainEqual(
    expect.objectContaining({ kind: 'run', state: 'broken', seen: 'it did not end' }),
  );
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
