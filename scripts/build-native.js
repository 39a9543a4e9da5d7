import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const crate = join(root, 'native');
const built = join(crate, 'target', 'release', 'hookline-forward');

/**
 * Builds the native forwarder into bin/ of that folder where this machine can. Returns null, or why there is none: the
 * JavaScript forwarder does its work then. A forwarder of an earlier build is never left behind.
 *
 * @param {string} dist
 * @returns {string | null}
 */
export function buildNative(dist) {
  const target = join(dist, 'bin', 'hookline-forward');
  const problem = compile();
  if (problem !== null) {
    rmSync(target, { force: true });
    return problem;
  }
  if (!existsSync(target) || !readFileSync(built).equals(readFileSync(target))) {
    mkdirSync(join(dist, 'bin'), { recursive: true });
    const fresh = `${target}.${process.pid}`;
    copyFileSync(built, fresh);
    chmodSync(fresh, 0o755);
    renameSync(fresh, target);
  }
  return null;
}

function compile() {
  if (process.platform === 'win32') return 'it needs Unix sockets';
  const first = cargo({});
  if (first.error) return 'cargo is not installed';
  if (first.status === 0) return null;
  // Some systems have no static C library.
  const second = cargo({ RUSTFLAGS: '-C target-feature=-crt-static' });
  return second.status === 0 ? null : `cargo build failed (${firstError(second.stderr)})`;
}

function cargo(env) {
  return spawnSync('cargo', ['build', '--offline', '--release', '--quiet'], {
    cwd: crate,
    // A target directory named in the environment would put the result in the wrong place.
    env: { ...process.env, CARGO_TARGET_DIR: join(crate, 'target'), ...env },
    encoding: 'utf8',
  });
}

function firstError(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => line.startsWith('error')) ?? lines[0] ?? 'no message').trim();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const skipped = buildNative(process.argv[2] ?? join(root, 'dist'));
  // Not on stdout: `npm pack` prints the name of its file there.
  if (skipped !== null)
    console.error(`native forwarder skipped: ${skipped}; the JavaScript one will be used`);
}
