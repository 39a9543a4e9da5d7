// A throw-away Hookline with a running daemon and Claude Code set up, for measuring.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closesOnce } from './interrupted.js';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Setting an agent up records a call; where calls are counted, `isSetUp` leaves it out. `checkout` is a built one. */
export function openScratchHome(rules = '', isSetUp = true, checkout = root) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const home = join(folder, 'hookline');
  const env = { PATH: process.env.PATH, HOME: folder, HOOKLINE_HOME: home };
  const key = writeHome(home, 'http: { port: 0 }\n', rules);
  const hookline = (command, ...args) =>
    execFileSync(
      process.execPath,
      [join(checkout, 'bin/hookline.js'), command, ...(command === 'down' ? ['--as-script'] : []), ...args],
      { env: { ...env, HOOKLINE_SCRIPT_KEY: key }, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
  if (isSetUp) hookline('setup', 'claude', '--yes');
  hookline('up');
  const { daemon } = JSON.parse(hookline('status', '--json'));
  return {
    folder,
    home,
    env,
    hookline,
    daemon,
    /** Another one after each start of the daemon. */
    get token() {
      return readFileSync(join(home, 'run/token'), 'utf8').trim();
    },
    forwarder: join(home, 'bin/hookline-forward'),
    close: closesOnce(() => {
      // Others may not know yet how a script says that it may. One that is asked to end still writes.
      if (checkout === root) hookline('down');
      else process.kill(daemon.pid, 'SIGKILL');
      rmSync(folder, { recursive: true });
    }),
  };
}

/**
 * Writes settings and rules, and a key with which this program may stop the daemon: there is no person at a terminal.
 * Gives the key.
 *
 * @param {string} home
 * @param {string} config
 * @param {string} rules
 */
export function writeHome(home, config, rules) {
  const key = randomBytes(32).toString('hex');
  const hash = createHash('sha256').update(key).digest('hex');
  const keys = [{ name: 'measuring', createdAt: new Date().toISOString(), hash }];
  mkdirSync(join(home, 'rules'), { recursive: true });
  writeFileSync(join(home, 'script-keys.json'), JSON.stringify({ keys }));
  writeFileSync(join(home, 'config.yaml'), config);
  writeFileSync(join(home, 'rules/bench.yaml'), rules);
  return key;
}

export function residentMegabytes(pid) {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/);
  return line ? Number(line[1]) / 1024 : null;
}

/** What the process has used of the processor. */
export function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // In hundredths of a second: for itself, and in the system.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * One connection that asks, waits for the answer and asks again. `callOf` makes the nth call, from 1 on.
 *
 * @param {string} path
 * @param {string | number} lane
 * @param {number} count
 * @param {(sent: number) => { agent: string, payload: object }} callOf
 * @param {(ms: number) => void} [took]
 * @returns {Promise<void>}
 */
export function askInTurn(path, lane, count, callOf, took = () => {}) {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let sent = 0;
    let start = 0;
    const ask = () => {
      if (sent >= count) {
        socket.end();
        resolve();
        return;
      }
      sent += 1;
      start = performance.now();
      socket.write(lineOf(`${lane}-${sent}`, callOf(sent)));
    };
    socket.on('data', (chunk) => {
      if (!chunk.includes(10)) return;
      took(performance.now() - start);
      ask();
    });
    socket.on('error', reject);
    socket.on('connect', ask);
  });
}

/**
 * One call on a connection of its own, as forwarders make them. Resolves to how many ms it took.
 *
 * @param {string} path
 * @param {string} id
 * @param {{ agent: string, payload: object }} call
 * @returns {Promise<number>}
 */
export function askOnce(path, id, call) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const socket = connect(path);
    socket.write(lineOf(id, call));
    socket.on('data', (chunk) => {
      if (!chunk.includes(10)) return;
      socket.destroy();
      resolve(performance.now() - start);
    });
    socket.on('error', reject);
  });
}

/** A command that an agent wants to run, one of many of its session. */
export function bashCall(round) {
  const payload = {
    session_id: `session-${Math.floor(round / 500)}`,
    cwd: '/home/dev/shop',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: `npm test -- --run src/${round}` },
    tool_use_id: `toolu_${round}`,
  };
  return { agent: 'claude', payload };
}

function lineOf(id, call) {
  // The first line is the answer: there is no line that announces a delay.
  return `${JSON.stringify({ request_id: id, ts: Date.now(), accepts: ['error'], ...call })}\n`;
}
