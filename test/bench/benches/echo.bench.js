// How many calls a second the daemon commits, beside a Node server that only echoes them, in turns. Each call comes on a
// connection of its own, as forwarders make them, so all that connections cost falls on both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, pairedRatio, ratioAtLeast, ratioAtMost } from '../figures.js';
import { load } from '../loads/load.js';
import { openScratchHome } from '../processes/scratch-home.js';

const CALLERS = 8;
const CALLS = 4_000;
const ROUNDS = 15;
const QUICK_ROUNDS = 5;
const WARM_UP = 4_000;
const SERVER = fileURLToPath(new URL('../loads/echo-server.js', import.meta.url));

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const home = openScratchHome("rules:\n  - { id: r, command: rm, deny: 'no' }\n", false);
  const echo = await startEcho(join(home.folder, 'echo.sock'));
  try {
    const servers = { echo, daemon: home.daemon };
    const taken = { echo: [], daemon: [] };
    for (let round = 0; round <= (quick ? QUICK_ROUNDS : ROUNDS); round += 1)
      for (const [name, server] of Object.entries(servers)) {
        const found = await load(server, `e${round}`, CALLERS, round === 0 ? WARM_UP : CALLS);
        if (round > 0) taken[name].push(found);
      }
    checkCommitted(home, WARM_UP + taken.daemon.length * CALLS);
    return figuresOf(taken);
  } finally {
    await echo.close();
    home.close();
  }
}

/** A daemon that answers without a record would be a fast one. */
function checkCommitted(home, calls) {
  const { events } = JSON.parse(home.hookline('status', '--json'));
  if (events !== calls) throw new Error(`${calls} calls were answered, ${events} are in the history`);
}

function figuresOf({ echo, daemon }) {
  const figure = (name, part, unit, target) => {
    const [ours, theirs] = [daemon, echo].map((all) => all.map((one) => one[part]));
    const ratio = pairedRatio(ours, theirs);
    return {
      name,
      value: median(ours),
      unit,
      ratio,
      to: 'a Node echo server',
      ...(target ? { target } : {}),
    };
  };
  return [
    figure(`${CALLERS} callers, committed calls`, 'rate', 'a second', ratioAtLeast(0.4)),
    figure(`${CALLERS} callers, p50`, 'p50', 'ms'),
    figure(`${CALLERS} callers, p99`, 'p99', 'ms', ratioAtMost(3)),
    figure(`${CALLERS} callers, processor`, 'processor', 'µs a call'),
  ];
}

async function startEcho(socket) {
  const child = spawn(process.execPath, [SERVER, socket], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  await Promise.race([once(child, 'message'), ended]);
  if (child.exitCode !== null) throw new Error('the echo server did not start');
  const close = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  return { socket, pid: child.pid, close };
}
