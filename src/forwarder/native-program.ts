import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as v from 'valibot';

type NativeProgram =
  | { readonly path: string }
  /** Why it is not used where there should be one; null where none exists for this platform. */
  | { readonly path: null; readonly problem: string | null };

export type ForwarderKind = 'native' | 'node';

/** What a forwarder answers to `--version`. */
export interface ForwarderVersion {
  readonly kind: ForwarderKind;
  readonly version: string;
}

const manifestSchema = v.object({
  optionalDependencies: v.optional(v.record(v.string(), v.string()), {}),
});

/** The package that npm installs beside this one on a platform, with one file: its native forwarder. */
export function platformPackage(platform: string = process.platform, arch: string = process.arch): string {
  return `@hookline/forwarder-${platform}-${arch}`;
}

/**
 * The native forwarder of this version that runs on this machine: the one that a checkout has built for itself, else
 * the one of the platform package.
 */
export function findNative(distDir: string, version: string): NativeProgram {
  const built = join(distDir, 'bin', 'hookline-forward');
  if (isNative(built, version)) return { path: built };
  const name = platformPackage();
  const packaged = resolveFrom(distDir, `${name}/hookline-forward`);
  if (packaged !== null && isNative(packaged, version)) return { path: packaged };
  if (packaged !== null)
    return { path: null, problem: `${packaged} is not version ${version} or does not run` };
  return { path: null, problem: isExpected(distDir, name) ? `the package ${name} is not installed` : null };
}

/** What a forwarder says of itself; null when it does not run here. */
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

/** Between a forwarder and a daemon of different versions the protocol may differ, so an older program is not used. */
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

/** A published package lists the platforms that have a native forwarder; a checkout lists none. */
function isExpected(distDir: string, name: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(distDir, '..', 'package.json'), 'utf8'));
    return name in v.parse(manifestSchema, manifest).optionalDependencies;
  } catch {
    return false;
  }
}
