import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../platform/make-folder.ts';
import type { HomePaths } from '../paths.ts';

/** A daemon outlives the session that started it, so it takes along nothing of that session's environment. */
const KEPT = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'SystemRoot', 'APPDATA'];

/** Of new objects. V8's own 16 MB, 32 since Node 24, are held twice, and a call needs 100 KB for a moment. */
const YOUNG_MB = 4;

/** Newer versions of Node can be told at their start to open no debugger on a signal. */
const NO_DEBUGGER = ['--disable-sigusr1'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

/** Starts a daemon in the background. It does not say whether the daemon came up: ask it. */
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
    // A folder that some process sits in cannot be unmounted, and on Windows not be deleted.
    cwd: paths.root,
    stdio: ['ignore', output, output],
    env: { ...env, HOOKLINE_HOME: paths.root },
  });
  closeSync(output);
  child.on('error', () => {});
  child.unref();
  return child;
}
