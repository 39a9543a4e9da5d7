import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { homePaths } from '../../src/home/paths.ts';
import { scratchFolder } from '../support/scratch.ts';
import { BIN, bashPayload, environmentOf, runProgram } from './product.ts';

// Its file system makes no directories, which Node's own `recursive` takes for a reason to try for ever.
const NOWHERE = '/proc/nope';
const FORWARD = fileURLToPath(new URL('../../dist/forward.cjs', import.meta.url));

function inNowhere(program: string, args: readonly string[], input = '') {
  const folder = scratchFolder();
  const env = environmentOf(folder, homePaths(NOWHERE));
  return runProgram(process.execPath, [program, ...args], input, env, folder);
}

const onLinux = test.runIf(process.platform === 'linux');

onLinux.each([['up'], ['daemon'], ['open', '--print'], ['events'], ['setup', 'claude', '--yes']])(
  '`hookline %s` in a home that cannot be made ends with the cause and a way out',
  async (...args) => {
    const { code, stderr } = await inNowhere(BIN, args);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "Can't use /proc/nope: its file system has no support for directories (ENOENT).",
    );
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('set HOOKLINE_HOME to another directory');
  },
);

// One that would wait for ever fails by the time limit of the test.
onLinux.each(Object.keys(COMMANDS))('`hookline %s` ends there, whatever it does', async (name) => {
  expect((await inNowhere(BIN, [name])).code).toBeOneOf([0, 1]);
});

onLinux('a call there is still judged by the packs', async () => {
  const { code, stdout } = await inNowhere(FORWARD, ['claude', 'PreToolUse'], bashPayload('rm -rf ~'));
  expect(code).toBe(0);
  expect(stdout).toContain('"permissionDecision":"deny"');
});
