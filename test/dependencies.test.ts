import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);
const lock = v.parse(
  v.object({
    packages: v.record(
      v.string(),
      v.looseObject({
        version: v.optional(v.string()),
        hasInstallScript: v.optional(v.boolean()),
        resolved: v.optional(v.string()),
        optionalDependencies: v.optional(v.record(v.string(), v.string()), {}),
      }),
    ),
  }),
  JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')),
);
const dependencies = Object.entries(lock.packages).filter(([path]) => path !== '');

test('no dependency runs a script on installation', () => {
  expect(dependencies.length).toBeGreaterThan(50);
  expect(dependencies.filter(([, entry]) => entry.hasInstallScript).map(([path]) => path)).toEqual([]);
});

test('installed packages match the lockfile', () => {
  const scripts = ['preinstall', 'install', 'postinstall'];
  const manifest = v.looseObject({ scripts: v.optional(v.record(v.string(), v.string()), {}) });
  let seen = 0;
  for (const [path] of dependencies) {
    const file = new URL(`${path}/package.json`, root);
    // Packages for other platforms are in the lockfile but not here.
    if (!existsSync(file)) continue;
    seen += 1;
    const own = v.parse(manifest, JSON.parse(readFileSync(file, 'utf8'))).scripts;
    expect(
      Object.keys(own).filter((name) => scripts.includes(name)),
      path,
    ).toEqual([]);
    // npm builds a package with this file even when it names no script.
    expect(existsSync(new URL(`${path}/binding.gyp`, root)), path).toBe(false);
  }
  expect(seen).toBeGreaterThan(50);
});

test('the lockfile names versions but no download location', () => {
  expect(dependencies.filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
});

test('the lockfile has packages for every platform, not only for the machine that wrote it', () => {
  // npm leaves out an optional package that its registry does not have, and `npm ci` then fails everywhere.
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

/** As Node looks for it: in the package's own folder, then in every folder around it. */
function isLocked(path: string, name: string): boolean {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}
