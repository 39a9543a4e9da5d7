// Looks at what a step left behind: files in the temp folder, changes in the clone, processes that belong to the
// scratch folder. Prints them, fails if there are any, and clears them away so that the next step starts clean.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [scratch = ''] = process.argv.slice(2);
const temp = join(scratch, 'tmp');
const clone = join(scratch, 'work/hookline');

/** Every process that runs in the scratch folder, names it, or has it in its environment. Linux only. */
function processes() {
  if (!existsSync('/proc/self/environ')) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const isOurs = [command, cwd, environment].some((text) => text.includes(scratch));
      // An ended process that nobody has waited for has no command any more.
      return command !== '' && isOurs ? [{ pid, command, from: `in ${cwd}, ${homesIn(environment)}` }] : [];
    } catch {
      return []; // It ended meanwhile, or is not ours to look at.
    }
  });
}

/** The folders in it were made for one test, and tell which. */
function homesIn(environment) {
  return environment
    .split('\0')
    .filter((entry) => /^(HOOKLINE_HOME|HOME|TMPDIR|VITEST_POOL_ID)=/.test(entry))
    .join(', ');
}

/** What is told to end may take a moment; what is still there after ten seconds was left behind. */
async function lastingProcesses() {
  for (let tries = 0; tries < 40 && processes().length > 0; tries += 1) await sleep(250);
  return processes();
}

/** Files of the clone that are no longer as they were committed, or that nobody committed. */
function changes() {
  if (!existsSync(clone)) return [];
  const git = (...args) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' });
  const text = git('status', '--porcelain');
  git('reset', '--hard', '--quiet');
  git('clean', '-d', '--force', '--quiet');
  return text.split('\n').filter((line) => line !== '');
}

const left = await lastingProcesses();
for (const { pid } of left) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It ended by itself after all.
  }
}
const files = readdirSync(temp);
const found = [
  ...left.map(({ pid, command, from }) => `process ${pid}: ${command.slice(0, 300)} (${from})`),
  ...files.map((name) => `in the temp folder: ${name}`),
  ...changes().map((line) => `in the clone: ${line}`),
];
for (const name of files) rmSync(join(temp, name), { recursive: true, force: true });
if (found.length > 0) {
  console.log(`Left behind (${found.length}):`);
  for (const line of found.slice(0, 50)) console.log(`  ${line}`);
  process.exitCode = 1;
}
