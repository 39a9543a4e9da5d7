import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchProduct } from './faults/product.ts';

describe('setup and remove', () => {
  test('remove names the place where Hookline still is', async () => {
    const { run, folder } = scratchProduct();
    const cwd = join(folder, 'project');
    mkdirSync(cwd, { recursive: true });
    for (const scope of ['user', 'project'])
      expect(await run(['setup', 'claude', '--scope', scope, '--yes'], { cwd })).toMatchObject({ code: 0 });
    expect((await run(['remove', 'claude', '--yes'], { cwd })).stdout).toContain(
      'remove claude --scope project',
    );
    const last = await run(['remove', 'claude', '--scope', 'project', '--yes'], { cwd });
    expect(last.stdout).not.toContain('also set up in another scope');
  });

  test('remove takes several agents, and --all takes every agent in every scope', async () => {
    const { run, folder } = scratchProduct();
    const cwd = join(folder, 'project');
    mkdirSync(cwd, { recursive: true });
    for (const agent of ['claude', 'codex', 'gemini']) await run(['setup', agent, '--yes'], { cwd });
    await run(['setup', 'claude', '--scope', 'project', '--yes'], { cwd });
    const two = await run(['remove', 'claude', 'codex', '--scope', 'user', '--yes'], { cwd });
    expect(two).toMatchObject({ code: 0 });
    for (const label of ['Claude Code', 'Codex'])
      expect(two.stdout).toContain(`Hookline is removed from ${label}.`);
    expect(await run(['remove', 'claude', '--all'], { cwd })).toMatchObject({ code: 1 });
    const all = await run(['remove', '--all', '--yes'], { cwd });
    expect(all.stdout.match(/is removed from .*/g)).toEqual([
      'is removed from Claude Code.',
      'is removed from Gemini CLI.',
    ]);
    expect((await run(['remove', '--all', '--yes'], { cwd })).stdout).toBe('No agent is set up here.\n');
  });

  test.each(['user', 'project'])('scope %s: shows, writes, and restores byte for byte', async (scope) => {
    const { run, folder } = scratchProduct();
    const project = join(folder, 'project');
    const file = join(scope === 'user' ? folder : project, '.claude', 'settings.json');
    const written = '{\n    "model": "opus",\n    "hooks": {"Stop": []}\n}';
    mkdirSync(join(file, '..'), { recursive: true });
    mkdirSync(project, { recursive: true });
    writeFileSync(file, written);
    const command = (name: string, ...more: string[]) =>
      run([name, 'claude', '--scope', scope, ...more], { cwd: project });
    expect(await command('setup')).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect((await command('setup', '--dry-run')).stdout).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe(written);
    expect(await command('setup', '--yes')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      model: 'opus',
      hooks: { PreToolUse: [{}] },
    });
    const once = readFileSync(file, 'utf8');
    expect(await command('setup', '--yes')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(once);
    expect(await command('remove', '--yes')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(written);
    expect(await command('remove', '--yes')).toMatchObject({ code: 0 });
  });
});

describe('the MCP server of the history', () => {
  /** A client whose command writes its servers into the file that also has the hooks. */
  const CLIENT = `#!/usr/bin/env node
const { readFileSync, writeFileSync, existsSync } = require('node:fs');
const [what, verb] = process.argv.slice(2);
if (what !== 'mcp') { console.log('0.61.0'); process.exit(); }
if (existsSync(process.env.HOME + '/stuck')) process.exit(1);
const file = process.env.HOME + '/.gemini/settings.json';
const { mcpServers: _, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
const settings = verb === 'add' ? { ...rest, mcpServers: { hookline: {} } } : rest;
writeFileSync(file, JSON.stringify(settings, null, 2));
`;

  function machine() {
    const product = scratchProduct();
    const bin = join(product.folder, 'bin');
    const settings = join(product.folder, '.gemini', 'settings.json');
    for (const file of [bin, dirname(settings)]) mkdirSync(file, { recursive: true });
    writeFileSync(join(bin, 'gemini'), CLIENT, { mode: 0o755 });
    writeFileSync(settings, '{\n  "theme": "dark"\n}');
    const env = { PATH: `${bin}:${product.env.PATH}` };
    const run = (...args: string[]) => product.run(args, { env });
    return { ...product, run, settings, read: () => readFileSync(settings, 'utf8') };
  }

  test('that setup added goes with it, and the settings are as they were', async () => {
    const { run, read } = machine();
    const before = read();
    const user = ['gemini', '--scope', 'user', '--yes'];
    expect(await run('setup', ...user, '--mcp')).toMatchObject({ code: 0 });
    expect(read()).toContain('mcpServers');
    expect((await run('remove', ...user, '--dry-run')).stdout).toContain('MCP server hookline');
    expect(read()).toContain('mcpServers');
    expect(await run('remove', ...user)).toMatchObject({ code: 0 });
    expect(read()).toBe(before);
    expect((await run('remove', ...user)).stdout).toContain('is not set up');
  });

  test('stays where another scope has Hookline, or where it was added on its own', async () => {
    const { run, read } = machine();
    await run('setup', 'gemini', '--scope', 'user', '--yes', '--mcp');
    await run('setup', 'gemini', '--yes');
    await run('remove', 'gemini', '--scope', 'user', '--yes');
    expect(read()).toContain('mcpServers');
    await run('remove', 'gemini', '--yes');
    expect(read()).not.toContain('mcpServers');
    await run('setup', 'gemini', '--yes');
    await run('mcp', '--add', 'gemini');
    await run('remove', 'gemini', '--yes');
    expect(read()).toContain('mcpServers');
  });

  test('that the client does not take out is named', async () => {
    const { run, folder, read } = machine();
    await run('setup', 'gemini', '--scope', 'user', '--yes', '--mcp');
    writeFileSync(join(folder, 'stuck'), '');
    const { code, stderr } = await run('remove', 'gemini', '--scope', 'user', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('mcp --remove gemini');
    expect(read()).not.toContain('hookline-forward');
  });
});

test('after setup, lint reports none of our entries, and nothing can be imported', async () => {
  const { run } = scratchProduct();
  for (const agent of ['claude', 'codex', 'gemini'])
    expect(await run(['setup', agent, '--yes'])).toMatchObject({ code: 0 });
  expect(await run(['lint'])).toMatchObject({ code: 0 });
  expect(await run(['rules', 'import', 'claude'])).toMatchObject({
    code: 0,
    stdout: 'Nothing to import.\n',
  });
});
