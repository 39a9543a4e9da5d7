// How long people wait for a command, beside a Node that does nothing. The commands take turns, so that a busy machine is
// busy for all of them. HOOKLINE_BENCH_BASE is another built checkout to compare with.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { askInTurn, median, openScratchHome, root } from './scratch-home.js';

const ROUNDS = Number(process.env.HOOKLINE_BENCH_ROUNDS ?? 20);
const COMMANDS = [['--version'], ['--help'], ['status'], ['why', '--last'], ['events', '--limit', '20']];

const rules = "rules: [{ id: no-publish, command: 'npm publish', deny: 'CI publishes.' }]\n";

const callOf = (sent) => ({
  agent: 'claude',
  payload: {
    session_id: `s-${sent % 5}`,
    cwd: '/home/dev/shop',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: sent % 10 === 0 ? 'npm publish' : `npm test -- ${sent}` },
    tool_use_id: `toolu_${sent}`,
  },
});

export async function run() {
  const home = openScratchHome(rules);
  try {
    await askInTurn(home.daemon.socket, 'bench', 200, callOf);
    const base = process.env.HOOKLINE_BENCH_BASE;
    const programs = [...(base ? [['base', base]] : []), ['here', root]];
    const runs = [{ name: 'node -e 0', args: ['-e', '0'] }];
    for (const command of COMMANDS)
      for (const [label, folder] of programs)
        runs.push({
          name: `${label} ${command.join(' ')}`,
          args: [join(folder, 'bin/hookline.js'), ...command],
        });
    const times = runs.map(() => []);
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [at, { name, args }] of runs.entries()) {
        const took = timed(name, args, home.env);
        // The first round fills the caches.
        if (round > 0) times[at].push(took);
      }
    report(runs, times);
  } finally {
    home.close();
  }
}

function timed(name, args, env) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function report(runs, times) {
  const [empty] = times.map(median);
  const least = Math.min(...times[0]);
  for (const [at, { name }] of runs.entries()) {
    const middle = median(times[at]);
    const ratio = (middle / empty).toFixed(2);
    const best = (Math.min(...times[at]) / least).toFixed(2);
    console.log(
      `${name.padEnd(28)} ${middle.toFixed(0).padStart(5)} ms  ${ratio} × (fastest of each: ${best} ×)`,
    );
  }
}
