import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { homePaths } from '../../home/paths.ts';
import { checkLive } from './live.ts';

// test/clients tests the checks themselves with real agents.

let programs: string;

beforeEach(() => {
  programs = scratchFolder();
  vi.stubEnv('PATH', programs);
  vi.stubEnv('HOME', programs);
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** The command's output and exit code. */
async function live(names: readonly string[], json: boolean) {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const code = await checkLive(homePaths(scratchFolder()), names, json).finally(() => log.mockRestore());
  return { code, text: lines.join('\n') };
}

test.skipIf(process.platform === 'win32')(
  'a client that cannot be run here is said not to be checked',
  async () => {
    const program = join(programs, 'cursor-agent');
    writeFileSync(program, '#!/bin/sh\necho 1.0.0\n');
    chmodSync(program, 0o755);
    const { code, text } = await live(['cursor'], true);
    const reason = expect.stringContaining("It can't be run with a local model");
    expect(JSON.parse(text)).toMatchObject({
      ok: false,
      reports: [],
      skipped: [{ agent: 'cursor', label: 'Cursor', reason }],
    });
    expect(code).toBe(1);
    // Reported even if it wasn't named: an installed agent that is missing would look checked.
    expect((await live([], false)).text).toMatch(/^Cursor: not checked\. It can't be run/);
  },
);

test('a script that asks for an agent that is not there does not read that all is well', async () => {
  const { code, text } = await live(['pi'], true);
  expect(JSON.parse(text)).toMatchObject({
    ok: false,
    skipped: [{ agent: 'pi', reason: 'It is not on PATH.' }],
  });
  expect(code).toBe(1);
});

test('where no agent is installed nothing is checked, and that is not a success', async () => {
  expect(await live([], false)).toEqual({
    code: 1,
    text: 'Nothing was checked: no supported agent is on PATH.',
  });
});
