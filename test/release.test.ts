import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { programProblem, versionProblems } from '../scripts/release/checks.js';
import { PLATFORMS, publishedReadme } from '../scripts/release/packages.js';
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

  test('is the same everywhere, including this checkout', () => {
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

test('the published README differs only in installing from npm', () => {
  const readme = text('README.md');
  const [fromNpm, fromClone] = ['npm install -g hookline\n', 'npm run install:global'];
  expect([readme.includes(fromNpm), readme.includes(fromClone)]).toEqual([false, true]);
  const published = publishedReadme(readme);
  expect([published.includes(fromNpm), published.includes(fromClone)]).toEqual([true, false]);
  expect(published).not.toContain('not on npm');
  const headings = (page: string) => page.match(/^## .*$/gm);
  expect(headings(published)).toEqual(headings(readme));
  expect(() => publishedReadme('# Hookline')).toThrow('install from a clone');
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

  test.each(PLATFORMS)('is only released for its own platform: $id', (platform) => {
    const accepted = Object.keys(PROGRAMS).filter(
      (id) => programProblem(PROGRAMS[id] ?? Buffer.alloc(64), platform) === null,
    );
    expect(accepted).toEqual([platform.id]);
  });

  test('for Linux is static, for every C library', () => {
    const dynamic = PLATFORMS.filter(({ os }) => os === 'linux').map((platform) =>
      programProblem(elf(platform.cpu === 'x64' ? 62 : 183, 3), platform),
    );
    expect(dynamic).toEqual([
      'The forwarder for linux-x64 is linked dynamically: it would run with one C library only.',
      'The forwarder for linux-arm64 is linked dynamically: it would run with one C library only.',
    ]);
  });

  test('is in the package that setup searches', () => {
    for (const { id, os, cpu } of PLATFORMS) {
      expect(platformPackage(os, cpu)).toBe(`@hookline/forwarder-${id}`);
    }
  });
});
