import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { PLATFORMS } from '../scripts/release/packages.js';

const root = new URL('../', import.meta.url);
const text = (path: string) => readFileSync(new URL(path, root), 'utf8');
const files = readdirSync(new URL('.github/workflows/', root)).map((name) => `.github/workflows/${name}`);

const stepSchema = v.looseObject({
  run: v.optional(v.string(), ''),
  uses: v.optional(v.string(), ''),
  with: v.optional(v.looseObject({ 'persist-credentials': v.optional(v.boolean()) })),
});
const jobSchema = v.looseObject({
  uses: v.optional(v.string()),
  needs: v.optional(v.union([v.string(), v.array(v.string())]), []),
  permissions: v.optional(v.record(v.string(), v.string())),
  strategy: v.optional(v.object({ matrix: v.record(v.string(), v.array(v.unknown())) }), { matrix: {} }),
  steps: v.optional(v.array(stepSchema), []),
});
const workflowSchema = v.looseObject({
  permissions: v.record(v.string(), v.string()),
  jobs: v.record(v.string(), jobSchema),
});
const read = (name: string) => v.parse(workflowSchema, parse(text(`.github/workflows/${name}.yml`)));
const includedIn = (job: v.InferOutput<typeof jobSchema> | undefined) =>
  v.parse(v.array(v.record(v.string(), v.string())), job?.strategy.matrix.include ?? []);

/** Every line that the jobs of a workflow run, with the values of the matrix put in. */
function commandsOf(name: string): string[] {
  return Object.values(read(name).jobs).flatMap((job) => {
    const lines = job.steps.flatMap(({ run }) => run.split('\n')).filter((line) => line !== '');
    const included = includedIn(job);
    return lines.flatMap((line) => {
      const rows = /\$\{\{ matrix\./.test(line) ? included : [{}];
      return rows.map((row: Record<string, string>) =>
        line.replace(/\$\{\{ matrix\.(\w+) \}\}/g, (_, key: string) => row[key] ?? ''),
      );
    });
  });
}

const { scripts } = v.parse(
  v.looseObject({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(text('package.json')),
);
const scriptsIn = (commands: readonly string[]) =>
  commands.flatMap((command) => /^npm (?:run )?(\S+)/.exec(command)?.[1] ?? []);

test('workflows call scripts and files that exist', () => {
  const commands = ['ci', 'tests', 'release'].flatMap(commandsOf);
  const called = scriptsIn(commands);
  expect(called).toContain('release');
  expect(called.filter((name) => name !== 'ci' && !(name in scripts))).toEqual([]);
  const others = commands.filter((command) => !/^(?:npm|sudo sysctl) /.test(command));
  const programs = others.map((command) => /^(?:node )?([\w./-]+)/.exec(command)?.[1] ?? command);
  expect(programs.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
});

test('every tier runs, before a release as on every push', () => {
  // The tests of what was changed are a part of the others.
  const tiers = Object.keys(scripts).filter((name) => /^test(?::|$)/.test(name) && name !== 'test:changed');
  expect(scriptsIn(commandsOf('tests'))).toEqual(expect.arrayContaining([...tiers, 'check', 'bench']));
  for (const name of ['ci', 'release'])
    expect(read(name).jobs.tests?.uses).toBe('./.github/workflows/tests.yml');
  expect(read('release').jobs.publish?.needs).toEqual(['forwarder', 'tests']);
});

test('unit tests run on three systems and three versions of Node', () => {
  const { os, node } = read('tests').jobs.unit?.strategy.matrix ?? {};
  expect(os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
  expect(node).toEqual([20, 22, 24]);
});

test('actions are pinned by commit, each to one version', () => {
  const used = files.flatMap((file) =>
    [...text(file).matchAll(/\buses: (.*)/g)].map(([, action = '']) => action),
  );
  const actions = new Set(used.filter((action) => !action.startsWith('./')));
  expect(
    [...actions].filter((action) => !/^[\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
  ).toEqual([]);
  const names = [...actions].map((action) => action.split('@')[0]);
  expect(names.sort()).toEqual([
    'actions/checkout',
    'actions/download-artifact',
    'actions/setup-node',
    'actions/upload-artifact',
    'github/codeql-action/analyze',
    'github/codeql-action/init',
    'github/codeql-action/upload-sarif',
    'ossf/scorecard-action',
  ]);
  // Its parts read what another of them wrote.
  const codeql = [...actions].filter((action) => action.startsWith('github/codeql-action/'));
  expect(new Set(codeql.map((action) => action.split('@')[1])).size).toBe(1);
});

test('no checkout leaves credentials behind', () => {
  for (const name of ['tests', 'release', 'contracts', 'codeql', 'scorecard']) {
    const steps = Object.values(read(name).jobs).flatMap((job) => job.steps);
    const checkouts = steps.filter(({ uses }) => uses.startsWith('actions/checkout'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const checkout of checkouts) expect(checkout.with?.['persist-credentials'], name).toBe(false);
  }
});

test('no job that runs published agents has a token that writes', () => {
  const { permissions, jobs } = read('contracts');
  expect(permissions).toEqual({ contents: 'read' });
  for (const { permissions: own, steps } of Object.values(jobs)) {
    for (const { run } of steps) expect(run).not.toContain('${{');
    const runsAgents = steps.some(({ run }) => run.includes('npm'));
    if (runsAgents) expect(own).toBeUndefined();
    else expect(own).toEqual({ issues: 'write' });
  }
  expect(read('tests').permissions).toEqual({ contents: 'read' });
  for (const job of Object.values(read('tests').jobs)) expect(job.permissions).toBeUndefined();
});

test.each(['codeql', 'scorecard'])(
  '%s may write its results and nothing else, and runs none of our code',
  (name) => {
    const { permissions, jobs } = read(name);
    expect(permissions).toEqual({ contents: 'read' });
    for (const { permissions: own, steps } of Object.values(jobs)) {
      expect(own).toEqual({ contents: 'read', 'security-events': 'write' });
      expect(steps.filter(({ run }) => run !== '')).toEqual([]);
    }
  },
);

test('the Node version for development is one that the tests run on', () => {
  const [major = ''] = text('.node-version').split('.');
  expect(read('tests').jobs.unit?.strategy.matrix.node).toContain(Number(major));
});

test('builds a forwarder on each supported platform', () => {
  const included = includedIn(read('release').jobs.forwarder);
  expect(included.map(({ platform }) => platform)).toEqual(PLATFORMS.map(({ id }) => id));
});
