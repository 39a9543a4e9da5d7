import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { scratchFolder } from './support/scratch.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
let scratch = '';

/** A copy of what agents are built on, with a new agent in it. */
beforeAll(async () => {
  scratch = scratchFolder();
  await mkdir(join(scratch, 'src/agents'), { recursive: true });
  for (const path of [
    'src/model',
    'src/platform',
    'src/version.ts',
    'src/wire',
    'src/agents/refusals.ts',
    'src/agents/setup',
    'src/agents/agent.ts',
    'src/agents/kit',
    'src/sandbox',
    'test/support/agents',
    ...['clock', 'processes', 'scratch', 'threads', 'until'].map((name) => `test/support/${name}.ts`),
  ])
    await cp(join(root, path), join(scratch, path), {
      recursive: true,
      filter: (file) => !/\.test\.ts$/.test(file),
    });
  for (const path of ['scripts', 'test/setup.ts', 'tsconfig.json', 'package.json'])
    await cp(join(root, path), join(scratch, path), { recursive: true });
  const settings = { setupFiles: ['test/setup.ts'], provide: { propertySeed: 1 } };
  await writeFile(join(scratch, 'vitest.config.js'), `export default { test: ${JSON.stringify(settings)} };`);
  await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'));
  await run(process.execPath, ['scripts/new-agent.js', 'probe', "Probe's CLI"], { cwd: scratch });
});

describe('npm run new-agent', () => {
  test('writes a folder of at most 8 source files, a page, and registers the agent', async () => {
    const written = (await run('ls', ['src/agents/probe'], { cwd: scratch })).stdout.split('\n');
    const sources = written.filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name));
    expect(sources).toEqual(['client.ts', 'decode.ts', 'encode.ts', 'index.ts', 'setup.ts']);
    expect(await text('docs/agents/probe.md')).toContain("# Probe's CLI");
    expect(await text('src/agents/_clients.ts')).toContain("import('./probe/client.ts')");
    expect(await text('src/agents/_registry.ts')).toContain("import probe from './probe/index.ts';");
    for (const name of sources)
      expect(await text(`src/agents/probe/${name}`)).not.toMatch(/newagent|New Agent/i);
  });

  test('compiles', async () => {
    const config = { extends: './tsconfig.json', include: ['src/agents'] };
    await writeFile(join(scratch, 'tsconfig.probe.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', 'tsconfig.probe.json'], { cwd: scratch });
    expect(stdout).toBe('');
  });

  test('fails its contract exactly at each part that is left to write', async () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', 'src/agents/probe', '--reporter=json', '--outputFile=report.json'];
    await expect(run(process.execPath, args, { cwd: scratch })).rejects.toThrow();
    const report = JSON.parse(await text('report.json'));
    const failed: string[] = report.testResults.flatMap((file: { assertionResults: readonly Assertion[] }) =>
      file.assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title),
    );
    const [first, ...left] = failed;
    expect(first).toBe('has nothing left to write');
    // Each names a file that exists, and what to do there.
    expect(
      left.filter((title) => !/^left to write: (?:src|docs|test)\/[\w./-]+(?::\d+)?: \w.{10,}/.test(title)),
    ).toEqual([]);
    for (const file of ['index', 'decode', 'encode', 'setup', 'client'])
      expect(left.some((title) => title.includes(`src/agents/probe/${file}.ts:`))).toBe(true);
    expect(left.filter((title) => /probe\/(?:fixtures|client\.json): /.test(title))).toHaveLength(2);
    expect(
      left.filter((title) => /docs\/agents\/probe\.md:|src\/agents\/probe\/client\.ts:/.test(title)),
    ).toHaveLength(11);
  });

  test.each(['Probe', 'my-agent', '../x', ''])('rejects the id %j', async (id) => {
    await expect(run(process.execPath, ['scripts/new-agent.js', id], { cwd: scratch })).rejects.toThrow(
      /Invalid id/,
    );
  });

  test.each(['probe', 'kit', 'setup'])('does not overwrite %s', async (id) => {
    const again = run(process.execPath, ['scripts/new-agent.js', id], { cwd: scratch });
    await expect(again).rejects.toThrow(/exists already/);
  });
});

interface Assertion {
  readonly status: string;
  readonly title: string;
}

function text(path: string): Promise<string> {
  return readFile(join(scratch, path), 'utf8');
}
