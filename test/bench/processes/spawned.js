// Times whole programs as agents start them, with the small Rust program that does the starting.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './scratch-home.js';

/** Builds the program that starts others. Why that, or a native forwarder, is not here; null when all is there. */
export function missingSpawn(checkouts = [root]) {
  if (!checkouts.every((checkout) => existsSync(join(checkout, 'dist/bin/hookline-forward'))))
    return 'the native forwarder is not built (that needs cargo)';
  execFileSync('cargo', ['build', '--quiet', '--offline', '--release', '--example', 'spawn'], {
    cwd: join(root, 'native'),
  });
  return null;
}

/**
 * Runs commands in turns. Gives the times of each, in ms.
 *
 * @param {number} rounds
 * @param {string} input a file for stdin
 * @param {readonly string[]} commands
 * @param {NodeJS.ProcessEnv} env
 * @returns {number[][]}
 */
export function timesOf(rounds, input, commands, env) {
  const spawn = join(root, 'native/target/release/examples/spawn');
  const printed = execFileSync(spawn, [String(rounds), input, ...commands], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const lines = printed.trim().split('\n');
  return lines.map((line) => line.split(' ').map((nanoseconds) => Number(nanoseconds) / 1e6));
}
