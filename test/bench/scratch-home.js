// A throw-away Hookline with a running daemon and Claude Code set up, for measuring.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Setting an agent up records a call; where calls are counted, `isSetUp` leaves it out. */
export function openScratchHome(rules = '', isSetUp = true) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const home = join(folder, 'hookline');
  const env = { PATH: process.env.PATH, HOME: folder, HOOKLINE_HOME: home };
  // There is no person at a terminal who could stop the daemon.
  const key = randomBytes(32).toString('hex');
  const hookline = (command, ...args) =>
    execFileSync(
      process.execPath,
      [join(root, 'bin/hookline.js'), command, ...(command === 'down' ? ['--as-script'] : []), ...args],
      { env: { ...env, HOOKLINE_SCRIPT_KEY: key }, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
  mkdirSync(join(home, 'rules'), { recursive: true });
  const hash = createHash('sha256').update(key).digest('hex');
  const keys = [{ name: 'bench', createdAt: new Date().toISOString(), hash }];
  writeFileSync(join(home, 'script-keys.json'), JSON.stringify({ keys }));
  writeFileSync(join(home, 'config.yaml'), 'http: { port: 0 }\n');
  writeFileSync(join(home, 'rules/bench.yaml'), rules);
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
    close() {
      hookline('down');
      rmSync(folder, { recursive: true });
    },
  };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export function residentMegabytes(pid) {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/);
  return line ? Number(line[1]) / 1024 : null;
}

/**
 * One connection that asks, waits for the answer and asks again. `callOf` makes the nth call, from 1 on.
 *
 * @param {string} path
 * @param {string | number} lane
 * @param {number} count
 * @param {(sent: number) => { agent: string, payload: object }} callOf
 * @returns {Promise<void>}
 */
export function askInTurn(path, lane, count, callOf) {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let sent = 0;
    const ask = () => {
      if (sent >= count) {
        socket.end();
        resolve();
        return;
      }
      sent += 1;
      const call = { request_id: `${lane}-${sent}`, ts: Date.now(), ...callOf(sent) };
      socket.write(`${JSON.stringify(call)}\n`);
    };
    socket.on('data', (chunk) => {
      if (chunk.includes(10)) ask();
    });
    socket.on('error', reject);
    socket.on('connect', ask);
  });
}
