import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { PACKAGE_ROOT } from '../platform/package-root.ts';
import { readForwarderSettings } from '../wire/forwarder-settings.ts';

/** What is executed when Hookline decides, besides what lies in the home. */
export interface Program {
  /** Folders of the package: of the one that runs, and of the one that the forwarder falls back to. */
  readonly packages: readonly string[];
  /** The Node that runs them. */
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

/** All of a package that runs, as patterns. The sources and the docs of a checkout do not. */
export function programPlaces({ packages }: Program): string[] {
  return packages.flatMap((folder) => {
    const own = [`${folder}/bin/**`, `${folder}/dist/**`, `${folder}/package.json`];
    if (!isInstalled(folder)) return own;
    // The platform package with the native forwarder lies in the package, or beside it.
    const beside = join(dirname(folder), '@hookline');
    return [...own, `${folder}/node_modules/**`, ...(existsSync(beside) ? [`${beside}/**`] : [])];
  });
}

/** Packages that were not installed but are built where they are. */
export function checkouts({ packages }: Program): string[] {
  return packages.filter((folder) => !isInstalled(folder));
}

/** Without patterns: those would make a search for nearly any name one that may come across them. */
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

/** What counts in it, by name: what a search through the folders above may come across. */
export function programFiles({ packages, runtimes }: Program): string[] {
  return [
    ...packages.flatMap((folder) => ENTRIES.map((name) => `${folder}/${name}`)),
    ...runtimes.filter(hasOwnFolder),
  ];
}

/**
 * Folders in which an archive or a copied folder would replace the program. Not the folder of a Node that it shares with
 * other programs: many things are unpacked into `/usr/local`.
 */
export function programFolders({ packages, runtimes }: Program): string[] {
  const versions = runtimes.filter(hasOwnFolder).map((path) => dirname(dirname(path)));
  return [
    ...packages.flatMap((folder) => (isInstalled(folder) ? [folder, dirname(folder)] : [folder])),
    ...versions.flatMap((folder) => [folder, join(folder, 'bin')]),
  ];
}

/** nvm, fnm, asdf and others have a folder for each version of Node. */
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
