import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { PACKAGE_ROOT } from '../platform/package-root.ts';
import { programFolders, programOf, programPlaces } from './program.ts';

function homeWith(settings: object): string {
  const home = scratchFolder();
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'forwarder.json'), JSON.stringify(settings));
  return home;
}

test('what runs is this package, with this Node', () => {
  const { packages, runtimes } = programOf(scratchFolder());
  expect(packages).toEqual([realpathSync(PACKAGE_ROOT)]);
  expect(runtimes).toContain(process.execPath);
});

test('includes the program that the forwarder falls back to', () => {
  const home = homeWith({ node: '/opt/node/bin/node', script: '/opt/hookline/dist/forward.js' });
  const { packages, runtimes } = programOf(home);
  expect(packages).toContain('/opt/hookline');
  expect(runtimes).toContain('/opt/node/bin/node');
});

test('leaves out the checkout that a person works on, even through a link', () => {
  const link = join(scratchFolder(), 'checkout');
  symlinkSync(PACKAGE_ROOT, link);
  for (const develop of [PACKAGE_ROOT, link])
    expect(programOf(scratchFolder(), develop).packages).toEqual([]);
  expect(programOf(scratchFolder(), `${PACKAGE_ROOT}-other`).packages).not.toEqual([]);
  expect(programOf(scratchFolder(), PACKAGE_ROOT).runtimes).toContain(process.execPath);
});

test('includes the dependencies of an installed package', () => {
  const folder = '/usr/lib/node_modules/hookline';
  expect(programPlaces({ packages: [folder], runtimes: [] })).toContain(`${folder}/node_modules/**`);
  expect(programPlaces({ packages: ['/src/hookline'], runtimes: [] })).toEqual([
    '/src/hookline/bin/**',
    '/src/hookline/dist/**',
    '/src/hookline/package.json',
  ]);
});

test("a directory shared by many programs isn't Node's own", () => {
  const folders = (runtime: string) => programFolders({ packages: [], runtimes: [runtime] });
  expect(folders('/usr/local/bin/node')).toEqual([]);
  const version = '/home/dev/.nvm/versions/node/v22.11.0';
  expect(folders(`${version}/bin/node`)).toEqual([version, `${version}/bin`]);
});
