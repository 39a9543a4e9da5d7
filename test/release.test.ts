import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { programProblem, versionProblems } from '../scripts/release/checks.js';
import { PLATFORMS } from '../scripts/release/packages.js';
import { platformPackage } from '../src/forwarder/native-program.ts';
import { VERSION } from '../src/version.ts';

const root = new URL('../', import.meta.url);
const text = (path: string) => readFileSync(new URL(path, root), 'utf8');

describe('a version', () => {
  const good = {
    version: '1.2.3',
    cargoToml: '[package]\nversion = "1.2.3"\n',
    changelog: '# Changelog\n\n## 1.2.3 (2026-11-16)\n\n## 1.2.2 (2026-10-01)\n',
    tag: 'v1.2.3',
  };

  test('is the same everywhere, in this checkout too', () => {
    expect(versionProblems(good)).toEqual([]);
    const [cargoToml, changelog] = [text('native/Cargo.toml'), text('CHANGELOG.md')];
    expect(versionProblems({ version: VERSION, cargoToml, changelog, tag: null })).toEqual([]);
  });

  test.each([
    ['another tag', { tag: 'v1.2.4' }, 'The tag is v1.2.4'],
    ['another crate', { cargoToml: 'version = "1.2.2"' }, 'native/Cargo.toml is version 1.2.2'],
    ['another changelog', { changelog: '## 1.2.2 (2026-10-01)\n' }, 'CHANGELOG.md begins with "## 1.2.2'],
    ['no changelog', { changelog: '# Changelog\n' }, 'CHANGELOG.md begins with ""'],
    ['no date', { changelog: '## 1.2.3 (unreleased)\n' }, 'CHANGELOG.md has no date for 1.2.3'],
  ])('is not released with %s', (_, part, problem) => {
    expect(versionProblems({ ...good, ...part })).toEqual([expect.stringContaining(problem)]);
  });
});

describe('a native forwarder', () => {
  /** A 64-bit ELF header with one program header of a type. */
  function elf(machine: number, type: number): Buffer {
    const program = Buffer.alloc(128);
    program.writeUInt32BE(0x7f454c46, 0);
    program.writeUInt16LE(machine, 18);
    program.writeBigUInt64LE(64n, 32);
    program.writeUInt16LE(56, 54);
    program.writeUInt16LE(1, 56);
    program.writeUInt32LE(type, 64);
    return program;
  }

  function machO(cpu: number): Buffer {
    const program = Buffer.alloc(128);
    program.writeUInt32LE(0xfeedfacf, 0);
    program.writeUInt32LE(cpu, 4);
    return program;
  }

  const PROGRAMS: Readonly<Record<string, Buffer>> = {
    'linux-x64': elf(62, 1),
    'linux-arm64': elf(183, 1),
    'darwin-x64': machO(0x01000007),
    'darwin-arm64': machO(0x0100000c),
  };

  test.each(PLATFORMS)('is released for its own platform only: $id', (platform) => {
    const accepted = Object.keys(PROGRAMS).filter(
      (id) => programProblem(PROGRAMS[id] ?? Buffer.alloc(64), platform) === null,
    );
    expect(accepted).toEqual([platform.id]);
  });

  test('for Linux is static: one program for every C library', () => {
    const dynamic = PLATFORMS.filter(({ os }) => os === 'linux').map((platform) =>
      programProblem(elf(platform.cpu === 'x64' ? 62 : 183, 3), platform),
    );
    expect(dynamic).toEqual([
      'The forwarder for linux-x64 is linked dynamically: it would run with one C library only.',
      'The forwarder for linux-arm64 is linked dynamically: it would run with one C library only.',
    ]);
  });

  test('is in the package that setup looks into', () => {
    for (const { id, os, cpu } of PLATFORMS) {
      expect(platformPackage(os, cpu)).toBe(`@hookline/forwarder-${id}`);
    }
  });
});

describe('the workflows', () => {
  const workflow = v.object({
    jobs: v.record(
      v.string(),
      v.object({
        strategy: v.optional(v.object({ matrix: v.record(v.string(), v.array(v.unknown())) })),
        steps: v.array(v.object({ run: v.optional(v.string()), uses: v.optional(v.string()) })),
      }),
    ),
  });
  const read = (name: string) => v.parse(workflow, parse(text(`.github/workflows/${name}.yml`))).jobs;
  const steps = ['ci', 'release'].flatMap((name) => Object.values(read(name)).flatMap((job) => job.steps));
  const commands = steps.flatMap(({ run }) => run?.split('\n') ?? []);

  test('call scripts that exist', () => {
    const { scripts } = v.parse(
      v.looseObject({ scripts: v.record(v.string(), v.string()) }),
      JSON.parse(text('package.json')),
    );
    const called = commands.flatMap((command) => /^npm (?:run )?(\S+)/.exec(command)?.[1] ?? []);
    expect(called.filter((name) => name !== 'ci' && !(name in scripts))).toEqual([]);
    expect(called).toEqual(expect.arrayContaining(['test', 'test:clients', 'test:package', 'release']));
    const files = commands.flatMap((command) => /^node (\S+)/.exec(command)?.[1] ?? []);
    expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
    const others = commands.filter((command) => !/^(npm|node) /.test(command));
    // The terminal UI is tested in a terminal.
    expect(new Set(others)).toEqual(new Set(['sudo apt-get update && sudo apt-get install -y tmux']));
  });

  test('pin actions by major version', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(5);
    expect(actions.filter((action) => !/^actions\/[\w-]+@v\d+$/.test(action))).toEqual([]);
  });

  test('no job that runs published agents has a token that writes, or credentials lying about', () => {
    const job = v.looseObject({
      permissions: v.optional(v.record(v.string(), v.string())),
      steps: v.array(
        v.looseObject({
          run: v.optional(v.string()),
          uses: v.optional(v.string()),
          with: v.optional(v.looseObject({ 'persist-credentials': v.optional(v.boolean()) })),
        }),
      ),
    });
    const { permissions, jobs } = v.parse(
      v.looseObject({ permissions: v.record(v.string(), v.string()), jobs: v.record(v.string(), job) }),
      parse(text('.github/workflows/contracts.yml')),
    );
    expect(permissions).toEqual({ contents: 'read' });
    for (const { permissions: own, steps } of Object.values(jobs)) {
      for (const { run = '' } of steps) expect(run).not.toContain('${{');
      const checkouts = steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout'));
      for (const checkout of checkouts) expect(checkout.with?.['persist-credentials']).toBe(false);
      const runsAgents = steps.some(({ run = '' }) => run.includes('npm'));
      if (runsAgents) expect(own).toBeUndefined();
      else expect(own).toEqual({ issues: 'write' });
    }
  });

  test('build a forwarder on each platform that has one', () => {
    const included = v.parse(
      v.array(v.looseObject({ platform: v.string() })),
      read('release').forwarder?.strategy?.matrix.include,
    );
    expect(included.map(({ platform }) => platform)).toEqual(PLATFORMS.map(({ id }) => id));
  });
});
