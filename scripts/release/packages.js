// The packages of a release, as values: the main one, one for each platform's native forwarder, and the one that
// brings SQLite to a Node without it.

/**
 * @typedef {{ name: string, version: string, [field: string]: unknown }} Manifest
 * @typedef {{ id: string, os: string, cpu: string }} Platform
 */

/**
 * Where there is a native forwarder. The Linux ones are static, so one program serves glibc and musl alike and npm
 * need not choose by `libc`. Windows has none: it needs Unix sockets.
 *
 * @type {readonly Platform[]}
 */
export const PLATFORMS = [
  { id: 'linux-x64', os: 'linux', cpu: 'x64' },
  { id: 'linux-arm64', os: 'linux', cpu: 'arm64' },
  { id: 'darwin-x64', os: 'darwin', cpu: 'x64' },
  { id: 'darwin-arm64', os: 'darwin', cpu: 'arm64' },
];

/** The Nodes whose own SQLite is missing or has no full-text search. npm skips an optional package for any other. */
const WITHOUT_SQLITE = '<22.16.0 || >=23.0.0 <24.0.0';
const SQLITE = '@hookline/sqlite';

/** @param {Platform} platform */
const forwarderName = ({ id }) => `@hookline/forwarder-${id}`;

/** @param {Manifest} main */
const shared = ({ version, license, homepage, bugs, repository }) => ({
  version,
  license,
  homepage,
  bugs,
  repository,
});

/**
 * @param {Manifest} main
 * @param {Platform} platform
 * @returns {Manifest}
 */
export function forwarderManifest(main, platform) {
  return {
    name: forwarderName(platform),
    description: `The native forwarder of Hookline for ${platform.id}.`,
    ...shared(main),
    os: [platform.os],
    cpu: [platform.cpu],
    files: ['hookline-forward'],
    preferUnplugged: true,
  };
}

/**
 * The files of the package that depends on libsql in place of the main one, for the range of Nodes that need it.
 *
 * @param {Manifest & { optionalDependencies: Record<string, string> }} main
 * @returns {Record<string, string>}
 */
export function sqliteFiles(main) {
  const manifest = {
    name: SQLITE,
    description: 'SQLite for Hookline on a Node that has none with full-text search.',
    ...shared(main),
    engines: { node: WITHOUT_SQLITE },
    main: 'index.cjs',
    files: ['index.cjs'],
    dependencies: { libsql: main.optionalDependencies.libsql },
  };
  return {
    'package.json': json(manifest),
    'index.cjs': "module.exports = require('libsql');\n",
  };
}

/**
 * The main package as it is published. The checkout's own manifest cannot name the other packages: `npm ci` would look
 * for versions that do not exist before the release.
 *
 * @param {Manifest} main
 * @returns {Manifest & { optionalDependencies: Record<string, string> }}
 */
export function publishedManifest(main) {
  const { scripts: _, devDependencies: __, overrides: ___, ...kept } = main;
  const names = [...PLATFORMS.map(forwarderName), SQLITE];
  return { ...kept, optionalDependencies: Object.fromEntries(names.map((name) => [name, main.version])) };
}

/** How to install from a clone, in README.md. */
const FROM_CLONE = /^Hookline is not on npm yet\.[\s\S]*?\n```\n(?=\n)/m;

/**
 * A clone's readme does not name a package that may not exist yet; the published one does, and no clone.
 *
 * @param {string} readme
 */
export function publishedReadme(readme) {
  if (!FROM_CLONE.test(readme)) throw new Error('README.md does not say how to install from a clone.');
  return readme.replace(FROM_CLONE, '```sh\nnpm install -g hookline\nhookline\n```\n');
}

/** @param {unknown} value */
export function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
