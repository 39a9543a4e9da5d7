import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stopDaemon } from '../../src/client/client.ts';
import { askAsScript } from '../../src/client/request.ts';
import { homePaths } from '../../src/home/paths.ts';
import { scriptIn } from '../../src/live/as-script.ts';
import { BIN, runProgram } from '../faults/product.ts';
import { hasTmux } from '../programs.ts';
import { scratchFolder } from '../support/scratch.ts';
import { openTerminal } from './terminal.ts';

/** A machine on which one agent is installed, or these, and Hookline never was. */
function newMachine(programs: Readonly<Record<string, string>> = { claude: 'echo "2.1.325 (Claude Code)"' }) {
  const folder = scratchFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const paths = homePaths(join(folder, 'hookline'));
  const env = {
    PATH: [bin, join(process.execPath, '..'), '/usr/bin', '/bin'].join(':'),
    HOME: folder,
    HOOKLINE_HOME: paths.root,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
  };
  return { folder, paths, env, settings: join(folder, '.claude', 'settings.json') };
}

test.skipIf(!hasTmux)('on a new machine leads from question to question to a first denial', async () => {
  const { folder, paths, env, settings } = newMachine();
  expect(await runProgram(process.execPath, [BIN, 'up'], '', env, folder)).toMatchObject({ code: 0 });
  const terminal = openTerminal({ columns: 110, rows: 45 }, `${process.execPath} ${BIN}; sleep 100`, env);
  onTestFinished(async () => {
    terminal.close();
    askAsScript(scriptIn(paths).key);
    await stopDaemon(paths);
  });
  await terminal.shows('Set up Claude Code?');
  expect(await terminal.shows('create')).toContain(join(folder, '.claude', 'settings.json'));
  expect(terminal.screen()).not.toContain('Codex');
  terminal.press('Enter');
  await terminal.shows('status in the status line of Claude Code');
  terminal.press('y');
  await terminal.shows('Auto-allow calls that only read');
  terminal.press('n');
  await terminal.shows('changes outside the project');
  // Enter alone switches nothing on.
  terminal.press('Enter');
  await terminal.shows('Turn on memory?');
  terminal.press('n');
  const end = await terminal.shows('Next: use your agents');
  expect(end).toContain('git/force-push');
  const { hooks, statusLine } = JSON.parse(readFileSync(settings, 'utf8'));
  expect(hooks).toHaveProperty('PreToolUse');
  expect(existsSync(paths.config)).toBe(false);
  const input = JSON.stringify({ session_id: 'none' });
  const shown = await runProgram('/bin/sh', ['-c', statusLine.command], input, env, folder);
  expect(shown).toEqual({ code: 0, stdout: 'hookline ✓\n', stderr: '' });
});

test('setup without a name takes the installed agents, and prints a summary without a terminal', async () => {
  const { folder, paths, env, settings } = newMachine();
  const { key } = scriptIn(paths);
  const run = (...args: string[]) =>
    runProgram(process.execPath, [BIN, ...args], '', { ...env, HOOKLINE_SCRIPT_KEY: key }, folder);
  const look = await run('setup', '--dry-run');
  expect(look.stdout.trim().split('\n')).toHaveLength(3);
  expect(look.stdout).toContain(`create ${settings}`);
  expect((await run('setup', '--dry-run', '--diff')).stdout).toContain('"PreToolUse"');
  expect(await run('setup')).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
  expect(existsSync(settings)).toBe(false);
  expect(await run('setup', '--yes')).toMatchObject({ code: 0 });
  expect(existsSync(settings)).toBe(true);
  expect(existsSync(join(folder, '.codex'))).toBe(false);
  expect((await run('status')).stdout).not.toContain('setup codex');
});

test('reports what one of several agents does not support, and sets up the others', async () => {
  const { folder, env } = newMachine({
    cline: 'echo 3.0.65',
    'cursor-agent': 'echo 2026.08.01',
    droid: 'if [ "$1" = mcp ]; then echo "$@" >> "$HOME/servers"; else echo 0.225.2; fi',
  });
  const run = (...args: string[]) => runProgram(process.execPath, [BIN, ...args], '', env, folder);
  expect((await run('status')).stdout).toMatch(/Next: run \S*.*hookline\S* setup\. It shows the changes/);
  const { code, stdout, stderr } = await run('setup', '--mcp', '--statusline', '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain('Cline has no command to add an MCP server.');
  expect(stderr).toContain('Cursor has no command to add an MCP server.');
  expect(readFileSync(join(folder, 'servers'), 'utf8')).toContain('hookline');
  expect(stdout).toContain("Can't add a status line to Cline, Cursor, Droid.");
  const doctor = (await run('doctor')).stdout;
  expect(doctor).toContain('Some installed agents are not guarded');
  expect(doctor).toMatch(/· Cursor 2026\.08\.01: Hookline was tested with @cursor\/sdk/);
});
