import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { fileIn, filesOf } from './checkout.ts';

const PLATFORM = `${process.platform}-${process.arch}`;
const source = new URL('../../src/', import.meta.url);
const released = (name: string) => join(inject('released'), `${name}-${VERSION}.tgz`);

test('`npm pack` prints the name of its file and nothing else', () => {
  expect(inject('packed')).toBe(`hookline-${VERSION}.tgz\n`);
});

describe.each([
  ['`npm pack` in a checkout', join(inject('plain'), `hookline-${VERSION}.tgz`)],
  ['a release', released('hookline')],
])('the tarball of %s', (_, tarball) => {
  test('has everything that is needed to run, and to write hooks and rules', async () => {
    const files = [...(await filesOf(tarball)).keys()];
    const data = [
      'store/database/migrations',
      'fleet/archive/tables',
      'rules/packs',
      'cli/demo/recordings',
    ].flatMap((folder) =>
      readdirSync(new URL(folder, source))
        .filter((name) => /\.(sql|yaml|json)$/.test(name))
        .map((name) => `dist/${folder.split('/').at(-1)}/${name}`),
    );
    expect(data.length).toBeGreaterThan(10);
    expect(files).toEqual(
      expect.arrayContaining([
        ...['client', 'forward', 'index', 'testing', 'hook-worker', 'hook-loader'].map(
          (name) => `dist/${name}.js`,
        ),
        ...['cli', 'program', 'help', 'forward', 'fallback-worker', 'fallback', 'testing'].map(
          (name) => `dist/${name}.cjs`,
        ),
        ...['dist/knowledge.json', 'dist/acts.json', 'dist/packs.json', 'dist/pack-examples.json'],
        ...['index', 'client/index', 'live/index'].map((name) => `dist/types/${name}.d.ts`),
        'dist/web/index.html',
        ...['config', 'export', 'hooks', 'rules'].map((name) => `docs/${name}.schema.json`),
        // Messages name them.
        ...['docs/approvals.md', 'docs/configuration.md', 'docs/agents/claude.md'],
        ...data,
      ]),
    );
  });

  test('has no sources, tests or program of one platform', async () => {
    const files = [...(await filesOf(tarball)).keys()];
    expect(files.filter((file) => /^(src|test|scripts|native|web|dist\/bin)\//.test(file))).toEqual([]);
    expect(files.filter((file) => /\.test\.|(?<!\.d)\.tsx?$/.test(file))).toEqual([]);
  });
});

describe('a release', () => {
  test('names the exact versions of the other packages, and runs nothing when it is installed', async () => {
    const manifest = JSON.parse(await fileIn(released('hookline'), 'package.json'));
    expect(manifest).toMatchObject({
      name: 'hookline',
      version: VERSION,
      bin: { hookline: 'bin/hookline.js' },
    });
    expect(manifest.optionalDependencies).toEqual({
      '@hookline/forwarder-darwin-arm64': VERSION,
      '@hookline/forwarder-darwin-x64': VERSION,
      '@hookline/forwarder-linux-arm64': VERSION,
      '@hookline/forwarder-linux-x64': VERSION,
      '@hookline/sqlite': VERSION,
    });
    expect(Object.keys(manifest).filter((key) => /scripts|dependencies$/i.test(key))).toEqual([
      'optionalDependencies',
    ]);
    expect(await fileIn(released('hookline'), 'README.md')).toContain('\nnpm install -g hookline\n');
    expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).not.toContain('npx hookline');
  });

  test.skipIf(!inject('hasNative'))('has one program in a package that npm chooses by platform', async () => {
    const tarball = released(`hookline-forwarder-${PLATFORM}`);
    expect(await filesOf(tarball)).toEqual(
      new Map([
        ['hookline-forward', '-rwxr-xr-x'],
        ['package.json', '-rw-r--r--'],
      ]),
    );
    expect(JSON.parse(await fileIn(tarball, 'package.json'))).toMatchObject({
      name: `@hookline/forwarder-${PLATFORM}`,
      version: VERSION,
      os: [process.platform],
      cpu: [process.arch],
    });
  });

  test('leaves SQLite to a package for the Nodes that have none', async () => {
    const manifest = JSON.parse(await fileIn(released('hookline-sqlite'), 'package.json'));
    expect(manifest).toMatchObject({ engines: { node: '<22.16.0 || >=23.0.0 <24.0.0' } });
    expect(Object.keys(manifest.dependencies)).toEqual(['libsql']);
  });
});
