import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { VERSION } from '../src/version.ts';
import { type Product, scratchProduct } from './faults/product.ts';

/** A machine with a pretended agent on its PATH, in a project of its own. */
function machine(): {
  readonly product: Product;
  readonly project: string;
  readonly env: Record<string, string>;
} {
  const product = scratchProduct();
  const [project, programs] = ['shop', 'programs'].map((name) => join(product.folder, name));
  for (const folder of [project ?? '', programs ?? '']) mkdirSync(folder);
  const program = join(programs ?? '', 'claude');
  copyFileSync(fileURLToPath(new URL('./newcomer/pretend-agent.js', import.meta.url)), program);
  chmodSync(program, 0o755);
  return { product, project: project ?? '', env: { PATH: `${programs}:${product.env.PATH}` } };
}

const readJson = (...path: readonly string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

test('records a run of an agent in the format of its fixtures', async () => {
  const { product, project, env } = machine();
  const record = (...args: readonly string[]) => product.run(['record', ...args], { cwd: project, env });
  product.rules('rules:\n  - command: npm publish\n    deny: CI does that.\n');
  expect(await product.run(['setup', 'claude', '--yes'], { env })).toMatchObject({ code: 0 });

  const first = await record('claude', '--json', '--', 'claude', 'Publish it.');
  expect(first.code, first.stderr).toBe(0);
  const folder = join(project, 'hookline-record-claude');
  expect(JSON.parse(first.stdout)).toEqual({
    folder,
    events: { PreToolUse: 1 },
    redacted: {},
    exitCode: 0,
  });
  // With --json stdout is ours alone.
  expect(first.stderr).toContain('It was denied.');
  expect(readJson(folder, 'PreToolUse/bash/in.json')).toMatchObject({
    session_id: 'first-session',
    cwd: '/home/dev/shop',
    tool_input: { command: 'npm publish' },
  });
  expect(readJson(folder, 'PreToolUse/bash/out.json')).toMatchObject({
    action: 'json_output',
    stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } },
  });
  expect(readJson(folder, 'meta.json')).toEqual({
    clientVersion: '2.1.325',
    capturedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    source: 'captured with hookline record',
    agent: 'claude',
    hooklineVersion: VERSION,
    platform: process.platform,
    exitCode: 0,
    order: ['PreToolUse/bash'],
  });
  expect(statSync(join(folder, 'meta.json')).mode & 0o077).toBe(0);

  const again = await record('claude', '--', 'claude');
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is not empty') });
  // The same session goes on: it is found by its folder.
  const other = await record('claude', '--out', 'again', '--', 'claude');
  expect(other).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Wrote 1 call of Claude Code 2.1.325'),
  });
  expect(existsSync(join(project, 'again', 'PreToolUse', 'bash', 'in.json'))).toBe(true);
});

test('explains why there is nothing to record, and writes nothing', async () => {
  const { product, project, env } = machine();
  const record = (...args: readonly string[]) => product.run(['record', ...args], { cwd: project, env });
  expect((await record('claude', '--', 'claude')).stderr).toMatch(/Run `.*setup claude` first\./);
  expect(await product.run(['setup', 'claude', '--yes'], { env })).toMatchObject({ code: 0 });

  for (const [code, problem] of [
    [0, 'The command ended with 0, and Claude Code called no hook'],
    [3, 'The command failed (3) before Claude Code called a hook.'],
  ]) {
    writeFileSync(join(project, 'quiet.sh'), `exit ${code}\n`);
    const stderr = expect.stringContaining(String(problem));
    expect(await record('claude', '--', 'sh', 'quiet.sh')).toMatchObject({ code: 1, stderr });
  }
  expect((await record('claude', '--', 'no-such-program')).stderr).toContain("Can't start no-such-program");
  expect((await record('claude')).stderr).toMatch(/Missing command\..*`.*record claude -- claude/s);
  expect((await record('--help')).stdout).toContain('[options] -- <command…>');
  expect((await record('nonesuch', '--', 'claude')).stderr).toContain('Unknown agent "nonesuch".');
  expect(existsSync(join(project, 'hookline-record-claude'))).toBe(false);
});
