// A Hookline in a folder of its own, with the built daemon and the built forwarders.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root, writeHome } from '../bench/processes/scratch-home.js';
import { isAnswering } from './ask.js';

const program = join(root, 'bin/hookline.js');
const script = join(root, 'dist/forward.cjs');

/** For something that is bound to happen. */
export const PATIENCE_MS = 60_000;

/** Nothing is allowed by a rule, so no answer may ever allow. */
const RULES = "rules:\n  - { id: no-publish, command: npm publish, deny: 'CI publishes.' }\n";
const CONFIG = 'http: { port: 0 }\npacks: { recommended: off }\n';

export const scratchFolder = () => mkdtempSync(join(tmpdir(), 'hookline-reliability-'));

/** Makes the home and starts its daemon. `remove` undoes what made the folder. */
export async function openHome(
  folder = scratchFolder(),
  remove = () => rmSync(folder, { recursive: true, force: true }),
) {
  const home = createHome(folder, remove);
  await home.hookline('setup', 'claude', '--yes');
  await home.start();
  return home;
}

const CROWD = `
program=$1 event=$2 end=$3; shift 3
for head do
  { cat "$head" "$end" | "$program" claude "$event" >"$head.out" 2>&1; echo $? >"$head.code"; } &
done
wait`;

function createHome(folder, remove) {
  const path = join(folder, 'hookline');
  const key = writeHome(path, CONFIG, RULES);
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: folder,
    HOOKLINE_HOME: path,
    TMPDIR: tmpdir(),
    NO_COLOR: '1',
  };
  const run = (command, args, input = '', more = {}) =>
    runProgram(command, args, input, { env: { ...env, ...more }, cwd: folder });
  const native = join(path, 'bin/hookline-forward');
  const home = {
    folder,
    path,
    socket: join(path, 'run/hookline.sock'),
    database: join(path, 'hookline.db'),
    /** What only a person may do wants `--as-script`. */
    hookline: (...args) => run(process.execPath, [program, ...args], '', { HOOKLINE_SCRIPT_KEY: key }),
    /** As an agent calls it. */
    forward: (event, payload) => run(native, ['claude', event], payload),
    /**
     * The same, many at once: each payload begins in a file of its own and ends in one that all share. One shell starts
     * them: starting a process takes 50 ms of this one, which others measure in.
     */
    forwardCrowd: async (event, heads, end) => {
      await run('/bin/sh', ['-c', CROWD, 'sh', native, event, end, ...heads]);
      return heads.map((head) => ({
        code: Number(readFileSync(`${head}.code`, 'utf8')),
        stdout: readFileSync(`${head}.out`, 'utf8'),
      }));
    },
    /** What the forwarder does with a call that no daemon answered. */
    fallBack: (id, event, payload) =>
      run(process.execPath, [script, '--home', path, '--fallback', 'claude', event], payload, {
        HOOKLINE_REQUEST_ID: id,
      }),
    pid: () => daemonPid(path),
    async start() {
      const { code, stderr } = await home.hookline('up');
      if (code !== 0) throw new Error(`the daemon does not start: ${stderr}`);
    },
    /** Takes in what forwarders left, and ends. */
    async stop() {
      await home.hookline('down', '--as-script');
      await until(() => processesOf(folder).length === 0, PATIENCE_MS);
    },
    async close() {
      await home.stop();
      const left = processesOf(folder);
      for (const { pid } of left) kill(pid, 'SIGKILL');
      await until(() => processesOf(folder).length === 0, PATIENCE_MS);
      remove();
      return left.length;
    },
  };
  return home;
}

/** Runs a program to its end, or for ten minutes. */
function runProgram(command, args, input, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, timeout: 600_000, killSignal: 'SIGKILL' });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        out[name] += text;
      });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...out }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** By what the daemon wrote down, or else by what runs. */
function daemonPid(path) {
  try {
    return JSON.parse(readFileSync(join(path, 'run/daemon.json'), 'utf8')).pid;
  } catch {
    return processesOf(path).find(({ command }) => command.includes(' daemon'))?.pid ?? null;
  }
}

/** Every process that runs in a folder, names it, or has it in its environment. */
export function processesOf(folder) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const isOurs = command !== '' && (command.includes(folder) || environment.includes(folder));
      return isOurs ? [{ pid: Number(pid), command }] : [];
    } catch {
      return []; // It ended meanwhile, or is not ours to look at.
    }
  });
}

export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

/** True once it happened, false when it did not in time. */
export async function until(condition, ms) {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

/** How many seconds until a daemon answers again; null when none does in time. */
export async function healedAfter(home, since, ms = 20_000) {
  const healed = await until(() => isAnswering(home.socket), ms);
  return healed ? (performance.now() - since) / 1_000 : null;
}

/** Waits until a daemon has taken in every call that forwarders judged themselves. */
export async function settle(home) {
  if (!(await isAnswering(home.socket))) await home.start();
  const spool = join(home.path, 'spool');
  const isEmpty = () => !existsSync(spool) || readdirSync(spool).every((name) => !name.endsWith('.json'));
  return until(isEmpty, PATIENCE_MS);
}
