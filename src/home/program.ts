import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { PACKAGE_ROOT } from '../platform/package-root.ts';
import { readForwarderSettings } from '../wire/forwarder-settings.ts';

/** What is executed when Hookline decides, besides the files in the home. */
export interface Program {
  /** Directories of the packages: the running one, and the forwarder's fallback. */
  readonly packages: readonly string[];
  /** Their Node runtimes. */
  readonly runtimes: readonly string[];
}

/** The program that serves a home, without the checkout that `develop` names. */
export function programOf(home: string, develop: string | null = null): Program {
  const settings = readForwarderSettings(home);
  const own = develop === null ? null : realOf(develop);
  const isOwn = (folder: string) => own !== null && `${folder}${sep}`.startsWith(`${own}${sep}`);
  const packages = [PACKAGE_ROOT, ...(settings ? packageOf(settings.script) : [])].map(realOf);
  const runtimes = [process.execPath, ...(settings ? [settings.node] : [])];
  return {
    packages: [...new Set(packages)].filter((folder) => !isOwn(folder)),
    runtimes: [...new Set([...runtimes, ...runtimes.map(realOf)])],
  };
}

/** Patterns for everything in a package that runs. The sources and docs of a checkout don't. */
export function programPlaces({ packages }: Program): string[] {
  return packages.flatMap((folder) => {
    const own = [`${folder}/bin/**`, `${folder}/dist/**`, `${folder}/package.json`];
    if (!isInstalled(folder)) return own;
    // The platform package with the native forwarder is inside the package or next to it.
    const beside = join(dirname(folder), '@hookline');
    return [...own, `${folder}/node_modules/**`, ...(existsSync(beside) ? [`${beside}/**`] : [])];
  });
}

/** Packages that weren't installed but built in place. */
export function checkouts({ packages }: Program): string[] {
  return packages.filter((folder) => !isInstalled(folder));
}

/** Without patterns, which would make almost any search by name look like one that may find them. */
const ENTRIES = [
  'bin/hookline.js',
  'dist/cli.cjs',
  'dist/program.cjs',
  'dist/forward.cjs',
  'dist/forward.js',
  'dist/forward-seldom.cjs',
  'dist/fallback-worker.cjs',
  'dist/fallback.cjs',
  'dist/bin/hookline-forward',
  'dist/knowledge.json',
  'dist/acts.json',
  'dist/packs.json',
  'dist/packs/self-protection.yaml',
];

/** Its important files by name, which a search through parent directories may find. */
export function programFiles({ packages, runtimes }: Program): string[] {
  return [
    ...packages.flatMap((folder) => ENTRIES.map((name) => `${folder}/${name}`)),
    ...runtimes.filter(hasOwnFolder),
  ];
}

/**
 * Directories where an archive or a copied directory would replace the program. Excludes the directory of a Node
 * shared with other programs, because many things are unpacked into `/usr/local`.
 */
export function programFolders({ packages, runtimes }: Program): string[] {
  const versions = runtimes.filter(hasOwnFolder).map((path) => dirname(dirname(path)));
  return [
    ...packages.flatMap((folder) => (isInstalled(folder) ? [folder, dirname(folder)] : [folder])),
    ...versions.flatMap((folder) => [folder, join(folder, 'bin')]),
  ];
}

/** nvm, fnm, asdf and others use a directory per version of Node. */
const hasOwnFolder = (runtime: string): boolean => /[\\/]v?\d+\.\d+\.\d+$/.test(dirname(dirname(runtime)));

const isInstalled = (folder: string): boolean => basename(dirname(folder)) === 'node_modules';

function packageOf(script: string): string[] {
  return basename(dirname(script)) === 'dist' ? [dirname(dirname(script))] : [];
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
