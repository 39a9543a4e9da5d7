// A daemon whose calls are counted: the built one, started as `hookline up` does, with a probe in it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { typicalCall } from '../loads/typical-call.js';
import { closesOnce } from './interrupted.js';
import { askOnce, root, writeHome } from './scratch-home.js';

/** @typedef {(lane: string, round: number) => { agent: string, payload: object }} CallOf */

const PROBE = fileURLToPath(new URL('./daemon-probe.js', import.meta.url));
const RULES = "rules:\n  - { id: r, command: rm, deny: 'no' }\n";
const MOST_START_MS = 60_000;
const STATUS_TRIES = 5;

/** Who calls: 8 come again as soon as they are answered; people's agents pause between calls. */
export const CALLERS = [
  { name: '8 callers', callers: 8, pauseMs: 0 },
  { name: 'one caller with pauses', callers: 1, pauseMs: 8 },
];

/**
 * @typedef {{
 *   env?: Record<string, string>,
 *   under?: (folder: string) => readonly string[],
 *   prepare?: (home: string) => void,
 *   checkout?: string,
 * }} Options `under` is a command that runs the daemon, `checkout` a built one.
 *
 * @param {Options} [options]
 */
export async function startCountedDaemon(options = {}) {
  const { env: more = {}, under = () => [], prepare = () => {}, checkout = root } = options;
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const home = join(folder, 'hookline');
  const env = { PATH: process.env.PATH, HOME: folder, HOOKLINE_HOME: home };
  writeHome(home, 'http: { port: 0 }\n', RULES);
  prepare(home);
  // Older checkouts have it as a module.
  const cli = ['cli.cjs', 'cli.js'].map((name) => join(checkout, 'dist', name)).find(existsSync) ?? '';
  const node = [process.execPath, '--max-semi-space-size=4', '--import', PROBE, cli];
  const [program, ...args] = [...under(folder), ...node, 'daemon', '--quiet'];
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = spawn(program, args, { cwd: home, env: { ...env, ...more }, stdio });
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  const close = closesOnce(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });
  try {
    const { socket } = await Promise.race([readInfo(home), failWhen(ended)]);
    return { folder, probe: probeOf(child, ended), ...callersOf(socket, env, checkout), stop, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function failWhen(ended) {
  const [code, signal] = await ended;
  throw new Error(`the daemon that is measured ended with ${code ?? signal}`);
}

/** The daemon's own information, as soon as it answers. */
async function readInfo(home) {
  const file = join(home, 'run/daemon.json');
  const end = performance.now() + MOST_START_MS;
  while (!existsSync(file)) {
    if (performance.now() > end) throw new Error('the daemon that is measured did not start');
    await sleep(20);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Asks the probe in the daemon. */
function probeOf(child, ended) {
  let last = 0;
  return (ask, value = null) => {
    last += 1;
    const id = last;
    const answered = new Promise((resolve) => {
      const hear = (message) => {
        if (message.id !== id) return;
        child.off('message', hear);
        resolve(message.answer);
      };
      child.on('message', hear);
    });
    child.send({ id, ask, value });
    return Promise.race([answered, failWhen(ended)]);
  };
}

const claudeCall = (lane, round) => typicalCall(lane, round, ['claude']);

function callersOf(socket, env, checkout) {
  let sent = 0;
  /** How far each caller is: a call that comes again is taken for a repetition, and not recorded. */
  const rounds = new Map();
  return {
    /**
     * @param {{ name: string, callers: number, pauseMs: number }} who
     * @param {number} calls
     * @param {CallOf} [callOf]
     */
    async call({ name, callers, pauseMs }, calls, callOf = claudeCall) {
      const first = rounds.get(name) ?? 0;
      rounds.set(name, first + calls / callers);
      for (let round = first; round < first + calls / callers; round += 1) {
        const all = Array.from({ length: callers }, (_, lane) =>
          askOnce(socket, `${name} ${lane}-${round}`, callOf(`${name}-${lane}`, round)),
        );
        await Promise.all(all);
        sent += callers;
        if (pauseMs > 0) await sleep(pauseMs);
      }
    },
    /** A daemon that refuses calls would be a cheap one. */
    checkStored() {
      const status = [join(checkout, 'bin/hookline.js'), 'status', '--json'];
      const stored = () =>
        JSON.parse(execFileSync(process.execPath, status, { env, encoding: 'utf8' })).events;
      let events = null;
      // Null where the machine is too busy for an answer within the time that the command waits for one.
      for (let left = STATUS_TRIES; left > 0 && events === null; left -= 1) events = stored();
      if (events !== sent) throw new Error(`${sent} calls were answered, ${events} are in the history`);
    },
  };
}
