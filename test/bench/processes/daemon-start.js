import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorSoFar } from './processor.js';
import { root } from './scratch-home.js';

const LOOK_EVERY_MS = 2;
const FIRST_MS = 5_000;

/** Starts a daemon and ends it. Resolves to what it took of the processor until it listened, in ms. */
export async function untilItListens(home, env, isFirst = false) {
  const info = join(home, 'run/daemon.json');
  // The one before leaves it.
  rmSync(info, { force: true });
  const daemon = spawn(process.execPath, [join(root, 'bin/hookline.js'), 'daemon', '--quiet'], {
    ...{ cwd: home, env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(daemon, 'exit');
  try {
    while (!existsSync(info)) {
      if (daemon.exitCode !== null) throw new Error(`the daemon ended with ${daemon.exitCode}`);
      await sleep(LOOK_EVERY_MS);
    }
    const taken = processorSoFar(daemon.pid);
    // Its compile cache is stored for the next start after warm-up, or when it is stopped later.
    if (isFirst) await sleep(FIRST_MS);
    return taken;
  } finally {
    daemon.kill();
    await ended;
  }
}
