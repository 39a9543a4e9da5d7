// Runs a command that starts the daemon, as at a terminal: waits until the daemon answers, then presses Ctrl-C.
// Fails unless it answered, named a command that works, and then ended in good order.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const [command = ''] = process.argv.slice(2);
const group = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
let printed = '';
group.stdout.on('data', (data) => {
  printed += data;
  process.stdout.write(data);
});
let end = null;
group.once('exit', (code, signal) => {
  end = signal ?? code;
});

async function until(what, minutes, test) {
  for (const deadline = Date.now() + minutes * 60_000; Date.now() < deadline; await sleep(250)) {
    const found = await test();
    if (found) return found;
  }
  throw new Error(`${what}: not within ${minutes} min.`);
}

/** Null while there is no daemon, and before the build has made anything that could tell. */
async function daemon() {
  if (end !== null) throw new Error(`\`${command}\` ended with ${end} before the daemon answered.`);
  const status = promisify(execFile)(process.execPath, ['bin/hookline.js', 'status', '--json']);
  return status.then(({ stdout }) => JSON.parse(stdout).daemon).catch(() => null);
}

try {
  const { pid, http, socket } = await until('the daemon answers', 10, daemon);
  const page = await fetch(http);
  console.log(`\nThe daemon answers: pid ${pid}, ${http} says ${page.status}. Ctrl-C.`);
  // What a newcomer copies from the screen has to run in this directory.
  const script = await until(
    'the next command is printed',
    1,
    () => /in another terminal, node (\S+) setup/.exec(printed)?.[1],
  );
  if (!existsSync(script))
    throw new Error(`The command that comes next names a file that is not there: ${script}`);
  process.kill(-group.pid, 'SIGINT');
  await until('Ctrl-C ends the command', 1, () => end !== null);
  await until('Ctrl-C ends the daemon', 1, () => !isAlive(pid));
  // One that was killed would have left it.
  if (existsSync(socket)) throw new Error(`The daemon left its socket behind: ${socket}`);
  console.log('It has ended.');
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
  if (end === null) process.kill(-group.pid, 'SIGKILL');
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
