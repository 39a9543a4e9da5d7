// Processor time of programs.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Bash measures elapsed and processor time to the millisecond. */
export function timed({ name, args, env, input }) {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" 2>&1 > /dev/null';
  const ran = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], {
    env,
    input,
    encoding: 'utf8',
  });
  const [wall, user, system] = ran.stderr?.trim().split(' ').map(Number) ?? [];
  if (ran.status !== 0 || !(system >= 0)) throw new Error(`${name}: ${ran.stdout ?? ran.error}`);
  return { wall: wall * 1_000, processor: (user + system) * 1_000 };
}

/** What a process that still runs has taken so far, all threads, in ms. */
export function processorSoFar(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  return times.reduce((sum, time) => sum + Number(time.split(' ')[0]) / 1e6, 0);
}
