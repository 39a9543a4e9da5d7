// What it takes of the processor until a daemon listens, beside a Node that does nothing, in turns.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, ratioAtMost } from '../figures.js';
import { untilItListens } from '../processes/daemon-start.js';
import { timed } from '../processes/processor.js';
import { writeHome } from '../processes/scratch-home.js';

const ROUNDS = 15;
const QUICK_ROUNDS = 7;
const RULES = "rules: [{ id: r, command: rm, deny: 'no' }]\n";

export async function run({ quick }) {
  if (process.platform !== 'linux')
    return [{ name: 'a daemon until it listens', skipped: 'only Linux tells what a process takes' }];
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const home = join(folder, 'hookline');
  const env = { PATH: process.env.PATH, HOME: folder, HOOKLINE_HOME: home };
  writeHome(home, 'http: { port: 0 }\n', RULES);
  const times = { empty: [], daemon: [] };
  try {
    for (let round = 0; round <= (quick ? QUICK_ROUNDS : ROUNDS); round += 1) {
      const empty = timed({ name: 'node -e 0', args: ['-e', '0'], env, input: '' }).processor;
      const daemon = await untilItListens(home, env, round === 0);
      // The first round makes the home and fills the caches.
      if (round > 0) times.empty.push(empty);
      if (round > 0) times.daemon.push(daemon);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const value = median(times.daemon);
  const ratio = value / median(times.empty);
  const figure = { name: 'a daemon until it listens, processor', value, unit: 'ms', ratio, to: 'node -e 0' };
  return [{ ...figure, target: ratioAtMost(10), isCompared: true }];
}
