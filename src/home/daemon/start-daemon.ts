import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../platform/make-folder.ts';
import type { HomePaths } from '../paths.ts';

/** A daemon outlives the session that started it, so it inherits nothing of that session's environment. */
const KEPT = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'SystemRoot', 'APPDATA'];

/**
 * Size of the young generation. V8's default of 16 MB (32 since Node 24) exists twice, and a call needs only 100 KB
 * for a moment.
 */
const YOUNG_MB = 4;

/** Newer versions of Node have an option that keeps a signal from opening the debugger. */
const NO_DEBUGGER = ['--disable-sigusr1'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

/** Starts a daemon in the background, without waiting until it is up. */
export function spawnDaemon(paths: HomePaths): ChildProcess {
  makeFolder(paths.log, 0o700);
  const output = openSync(join(paths.log, 'daemon.out'), 'w', 0o600);
  const env = Object.fromEntries(
    KEPT.flatMap((name) => [[name, process.env[name]]]).filter(([, value]) => value),
  );
  const script = join(dirname(fileURLToPath(import.meta.url)), 'cli.cjs');
  const options = [`--max-semi-space-size=${YOUNG_MB}`, ...NO_DEBUGGER];
  const child = spawn(process.execPath, [...options, script, 'daemon', '--quiet'], {
    detached: true,
    // A directory in use by a process can't be unmounted, or deleted on Windows.
    cwd: paths.root,
    stdio: ['ignore', output, output],
    env: { ...env, HOOKLINE_HOME: paths.root },
  });
  closeSync(output);
  child.on('error', () => {});
  child.unref();
  return child;
}
