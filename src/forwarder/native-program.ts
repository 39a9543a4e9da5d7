import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as v from 'valibot';
import { openRegularFile } from '../platform/bounded-files.ts';

type NativeProgram =
  | { readonly path: string }
  /** Why it isn't used although it should exist, and the fix; null if there is none for this platform. */
  | { readonly path: null; readonly lack: Lack | null };

export interface Lack {
  readonly why: string;
  readonly fix: string;
}

export type ForwarderKind = 'native' | 'node';

/** What a forwarder answers to `--version`. */
export interface ForwarderVersion {
  readonly kind: ForwarderKind;
  readonly version: string;
}

const manifestSchema = v.object({
  optionalDependencies: v.optional(v.record(v.string(), v.string()), {}),
});

const PACKAGES = '@hookline/forwarder-';

/** The npm package with the native forwarder for a platform. */
export function platformPackage(platform: string = process.platform, arch: string = process.arch): string {
  return `${PACKAGES}${platform}-${arch}`;
}

/**
 * The native forwarder of this version for this machine: the one built in a checkout, otherwise the one from the
 * platform package.
 */
export function findNative(distDir: string, version: string): NativeProgram {
  const built = join(distDir, 'bin', 'hookline-forward');
  if (isNative(built, version)) return { path: built };
  const name = platformPackage();
  const packaged = resolveFrom(distDir, `${name}/hookline-forward`);
  if (packaged !== null && isNative(packaged, version)) return { path: packaged };
  if (packaged !== null)
    return {
      path: null,
      lack: { why: `${packaged} is not version ${version} or does not run`, fix: INSTALL },
    };
  return { path: null, lack: lackOf(distDir, name) };
}

const INSTALL = 'Reinstall Hookline with its optional dependencies, then run `hookline setup` again.';
const BUILD =
  'Install cargo. Run `npm run build` in the Hookline checkout, or `npm run install:global`, then `hookline setup` again.';

/** A published package lists the platforms with a native forwarder; a checkout lists none and builds its own. */
function lackOf(distDir: string, name: string): Lack | null {
  const listed = dependenciesOf(distDir)?.filter((one) => one.startsWith(PACKAGES)) ?? null;
  if (listed === null) return null;
  if (listed.includes(name)) return { why: `the package ${name} is not installed`, fix: INSTALL };
  const isBuilt = listed.length === 0 && process.platform !== 'win32';
  return isBuilt ? { why: 'no native forwarder was built, because cargo is missing', fix: BUILD } : null;
}

/** A forwarder's kind and version; null if it doesn't run here. */
export function forwarderVersion(program: string): ForwarderVersion | null {
  if (!existsSync(program)) return null;
  const [file, ...args] = program.endsWith('.js') ? [process.execPath, program] : [program];
  const { status, stdout } = spawnSync(file, [...args, '--version'], {
    timeout: 5_000,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const found = status === 0 ? /^hookline-forward (\S+)( \(JavaScript\))?\s*$/.exec(stdout) : null;
  return found?.[1] === undefined ? null : { kind: found[2] ? 'node' : 'native', version: found[1] };
}

/** The kind of a forwarder, from the start of its file: the JavaScript one is a script. Null if there is none. */
export function forwarderKind(program: string): ForwarderKind | null {
  if (program.endsWith('.js')) return existsSync(program) ? 'node' : null;
  try {
    const file = openRegularFile(program);
    if (file === null) return null;
    const beginning = Buffer.alloc(2);
    try {
      readSync(file, beginning);
    } finally {
      closeSync(file);
    }
    return beginning.toString('latin1') === '#!' ? 'node' : 'native';
  } catch {
    return null;
  }
}

/** The protocol may differ between versions, so an older program isn't used. */
function isNative(program: string, version: string): boolean {
  const found = forwarderVersion(program);
  return found?.kind === 'native' && found.version === version;
}

function resolveFrom(distDir: string, file: string): string | null {
  try {
    return createRequire(join(distDir, 'forward.js')).resolve(file);
  } catch {
    return null;
  }
}

/** Null without a manifest. */
function dependenciesOf(distDir: string): readonly string[] | null {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(distDir, '..', 'package.json'), 'utf8'));
    return Object.keys(v.parse(manifestSchema, manifest).optionalDependencies);
  } catch {
    return null;
  }
}
