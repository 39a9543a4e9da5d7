// Checks what a step left behind: files in the temporary directory, changes in the clone, and processes that belong to
// the scratch directory. Prints them, fails if there are any, and removes them, so that the next step starts clean.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [scratch = ''] = process.argv.slice(2);
const temp = join(scratch, 'tmp');
const clone = join(scratch, 'work/hookline');

/** Every process that runs in the scratch directory, or has it in its arguments or environment. Linux only. */
function processes() {
  if (!existsSync('/proc/self/environ')) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const isOurs = [command, cwd, environment].some((text) => text.includes(scratch));
      // A zombie process has no command line.
      return command !== '' && isOurs ? [{ pid, command, from: `in ${cwd}, ${homesIn(environment)}` }] : [];
    } catch {
      return []; // It has ended, or belongs to another user.
    }
  });
}

/** The directories of a test, which show which test it was. */
function homesIn(environment) {
  return environment
    .split('\0')
    .filter((entry) => /^(HOOKLINE_HOME|HOME|TMPDIR|VITEST_POOL_ID)=/.test(entry))
    .join(', ');
}

/** Processes that are still there after 10 seconds: those that are ending may take a moment. */
async function lastingProcesses() {
  for (let tries = 0; tries < 40 && processes().length > 0; tries += 1) await sleep(250);
  return processes();
}

/** Changed and untracked files of the clone. */
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
    // It has ended by now.
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
