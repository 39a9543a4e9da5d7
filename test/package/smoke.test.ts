import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { decisions, forwarderFinding, type Installed, installTarball, SETTINGS } from './installed.ts';
import { NODE_VERSIONS } from './nodes.ts';
import { serveTarballs } from './registry.ts';

const PLATFORM = `${process.platform}-${process.arch}`;
const RELEASED = join(inject('released'), `hookline-${VERSION}.tgz`);
const PLAIN = join(inject('plain'), `hookline-${VERSION}.tgz`);

describe.each(NODE_VERSIONS)('on Node %s', (version) => {
  const node = inject('nodes')[version] ?? null;
  const major = Number.parseInt(version, 10);

  describe.skipIf(node === null)('installed from', () => {
    async function install(tarball: string, serves: (name: string) => boolean): Promise<Installed> {
      const registry = await serveTarballs(inject('released'), serves);
      onTestFinished(() => registry.close());
      const folder = mkdtempSync(join(inject('scratch'), 'install-'));
      return await installTarball(folder, { node: node ?? '', tarball, registry: registry.url });
    }

    test.skipIf(!inject('hasNative'))('a release: the native forwarder', async () => {
      const installed = await install(RELEASED, () => true);
      await expectWorking(installed, 'native');
      expect(await forwarderFinding(installed)).toEqual({
        level: 'ok',
        message: expect.stringContaining(`The native forwarder ${VERSION} is installed: `),
        why: null,
      });
      expect(hasLibsql(installed)).toBe(major < 22);
    });

    test('a release without the platform’s package: the JavaScript forwarder', async () => {
      const installed = await install(RELEASED, (name) => !name.includes('forwarder'));
      await expectWorking(installed, 'JavaScript');
      expect(await forwarderFinding(installed)).toEqual({
        level: 'warning',
        message: expect.stringContaining(`The JavaScript forwarder ${VERSION} is installed: `),
        why: expect.stringContaining(`the package @hookline/forwarder-${PLATFORM} is not installed.`),
      });
    });

    test('`npm pack` on a machine without cargo: the JavaScript forwarder', async () => {
      const installed = await install(PLAIN, () => false);
      await expectWorking(installed, 'JavaScript');
      expect(await forwarderFinding(installed)).toEqual({
        level: 'warning',
        message: expect.stringContaining(`The JavaScript forwarder ${VERSION} is installed: `),
        why: expect.stringContaining('It starts Node for each call: '),
      });
    });
  });
});

function hasLibsql({ modules }: Installed): boolean {
  return existsSync(join(modules, 'hookline', 'node_modules', 'libsql'));
}

/** Set up, asked with and without a daemon, found in order, and removed. */
async function expectWorking(installed: Installed, kind: string): Promise<void> {
  const { hookline, callShell, settingsFile } = installed;
  onTestFinished(async () => void (await hookline('down')));
  expect(await hookline('--version')).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
  expect(await hookline('setup', 'claude', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`The ${kind} forwarder ${VERSION} is at `),
  });

  expectDenied(await callShell('npm publish --tag next'));
  expect(await hookline('up')).toMatchObject({ code: 0, stderr: '' });
  expectDenied(await callShell('npm publish'));
  expect(await callShell('npm test')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await decisions(installed)).toEqual([
    'npm publish --tag next: deny',
    'npm publish: deny',
    'npm test: none',
  ]);

  expect(await hookline('doctor')).toMatchObject({ code: 0, stderr: '' });
  expect(await hookline('down')).toMatchObject({ code: 0 });
  expect(readFileSync(settingsFile, 'utf8')).not.toBe(SETTINGS);
  expect(await hookline('remove', 'claude', '--yes')).toMatchObject({ code: 0 });
  expect(readFileSync(settingsFile, 'utf8')).toBe(SETTINGS);
}

function expectDenied({ code, stdout, stderr }: Awaited<ReturnType<Installed['callShell']>>): void {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: {
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('Releases are made by CI.'),
    },
  });
}
