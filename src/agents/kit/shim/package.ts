import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject, parseJson } from '../../../model/json.ts';
import { readRegularText } from '../../../platform/bounded-files.ts';
import { VERSION } from '../../../version.ts';
import { bySetup, problem, readFiles, warning, when } from '../../setup/findings.ts';
import { WRAPPER } from '../../setup/forwarder-command.ts';
import type { Finding, SetupContext } from '../../setup/setup.ts';
import type { AgentWrapper } from '../../setup/wrapper.ts';
import { textAt } from '../loose-json.ts';

/** This package, as a client has installed it. */
export interface LoadedPackage {
  /** The file that the client loads. */
  readonly entry: string;
  readonly version: string;
  /** The settings that name it. */
  readonly settings: string;
}

/** How a client installs this package by itself. */
export interface ShimPackage {
  /** Settings that may name it, in the order in which they count; those of the user, and those of this project. */
  settings(context: SetupContext): { readonly user: readonly string[]; readonly project: readonly string[] };
  /** The folders of all packages that settings name. */
  folders(text: string, path: string, context: SetupContext): readonly string[];
  /** The file that the client loads, by the package's manifest. */
  entry(manifest: Readonly<Record<string, unknown>>): unknown;
  /** What removes it: completes "… removes it". */
  readonly uninstall: string;
  /** What to do about one of another version. */
  readonly update: string;
}

/** Where the client loads this package for every project; where that is unknown, setup had better write its file. */
export function userPackage(how: ShimPackage, context: SetupContext): LoadedPackage | null {
  return packagesIn(how, how.settings(context).user, context)[0] ?? null;
}

/** Where it loads it only here. */
export function projectPackages(how: ShimPackage, context: SetupContext): readonly LoadedPackage[] {
  return packagesIn(how, how.settings(context).project, context);
}

export function packageWrapper(how: ShimPackage): AgentWrapper {
  return {
    noun: 'package',
    uninstall: how.uninstall,
    files: () => [],
    hooksPath: (context) => userPackage(how, context)?.entry ?? null,
  };
}

/** What is wrong with it. */
export function packageFindings(
  { id, update }: ShimPackage & { readonly id: string },
  { entry, version }: LoadedPackage,
  { forwarder }: SetupContext,
): readonly Finding[] {
  return [
    ...when(
      !existsSync(forwarder),
      bySetup(
        problem(
          'wrapper-alone',
          `The package ${WRAPPER} finds no forwarder at ${forwarder}: nothing is guarded.`,
          `Run \`hookline setup ${id}\`.`,
        ),
      ),
    ),
    ...when(
      version !== VERSION,
      warning('stale-version', `${entry} is of Hookline ${version}; this is ${VERSION}.`, update),
    ),
  ];
}

function packagesIn(how: ShimPackage, paths: readonly string[], context: SetupContext): LoadedPackage[] {
  // Settings that cannot be read are reported where they are inspected.
  const { files } = readFiles(paths, (text, path) => ({ path, folders: how.folders(text, path, context) }));
  return files.flatMap(({ path, folders }) =>
    folders.flatMap((folder) => {
      const found = packageAt(folder, how.entry);
      return found ? [{ ...found, settings: path }] : [];
    }),
  );
}

function packageAt(folder: string, entryOf: ShimPackage['entry']): Omit<LoadedPackage, 'settings'> | null {
  const manifest = manifestIn(folder);
  if (manifest.name !== WRAPPER) return null;
  const named = entryOf(manifest);
  const entry = typeof named === 'string' ? resolve(folder, named) : null;
  if (entry === null || !existsSync(entry)) return null;
  return { entry, version: textAt(manifest, 'version') ?? 'unknown' };
}

function manifestIn(folder: string): Readonly<Record<string, unknown>> {
  try {
    const found = parseJson(readRegularText(join(folder, 'package.json')));
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}
