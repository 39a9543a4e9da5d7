// Whether a fleet costs a call anything: the same calls, in turns, at daemons that are in none, and in one whose server is
// there, is slow, has gone silent, or is not there. Each of them has records to send all the time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { importSource } from '../../bundle-source.js';
import { median, ratioAtMost } from '../figures.js';
import { startProxy } from '../loads/slow-proxy.js';
import { askOnce, bashCall, openScratchHome } from '../processes/scratch-home.js';

const ROUNDS = 1_500;
const QUICK_ROUNDS = 400;
const WARM_UP = 300;
const RULES = "rules:\n  - { id: r, command: rm, deny: 'no' }\n";
/** Delay of the slow server for all traffic, in each direction. */
const SLOW_MS = 400;

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-fleet-'));
  const closing = [() => rmSync(folder, { recursive: true })];
  try {
    const servers = await importSource('test/support/fleet/server.ts', join(folder, 'bundle'));
    if (servers.serverProgram === undefined)
      return [{ name: 'a call in a fleet', skipped: 'there is no nats-server here' }];
    const places = await startPlaces(servers, folder, closing);
    const homes = [];
    for (const place of places) homes.push(await openMember(place, closing));
    for (const { settle } of places) settle?.();
    const times = await inTurns(
      homes.map(({ socket }) => socket),
      quick ? QUICK_ROUNDS : ROUNDS,
    );
    return figuresOf(places, times.map(median));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** @param {(() => unknown)[]} closing what ends each of them is added here */
async function startPlaces({ runServer, freePort }, folder, closing) {
  const server = await runServer({ folder, name: 'one', port: await freePort(), config: '' });
  closing.push(server.kill);
  const [slow, silent] = await Promise.all([startProxy(server.port, SLOW_MS), startProxy(server.port, 0)]);
  closing.push(slow.close, silent.close);
  return [
    { name: 'a call without a fleet', port: null, connects: false },
    { name: 'the server is there', port: server.port, connects: true },
    { name: `the server takes ${SLOW_MS} ms`, port: slow.port, connects: true },
    { name: 'the server goes silent', port: silent.port, connects: true, settle: silent.silence },
    { name: 'the server is absent', port: await freePort(), connects: false },
  ];
}

async function openMember({ name, port, connects }, closing) {
  const home = openScratchHome(RULES);
  closing.push(() => home.close());
  if (port === null) return { socket: home.daemon.socket };
  home.hookline('down');
  writeFileSync(join(home.home, 'fleet.json'), JSON.stringify(settingsOf(name, port)));
  home.hookline('up');
  for (let tries = 0; connects; tries += 1) {
    if (JSON.parse(home.hookline('fleet', 'status', '--json')).connected) break;
    if (tries > 100) throw new Error(`${name}: the daemon does not connect`);
    await pause(100);
  }
  return { socket: JSON.parse(home.hookline('status', '--json')).daemon.socket };
}

function settingsOf(name, port) {
  const login = { login: 'none', user: null, ownAuthority: false, plaintext: false };
  const policy = { groups: [], policyKey: null };
  return {
    servers: [`nats://127.0.0.1:${port}`],
    team: 'bench',
    name,
    ...login,
    replicas: 1,
    after: 0,
    ...policy,
  };
}

/** One call at each, in another order each time, so that whatever else the machine does falls on all of them. */
async function inTurns(sockets, rounds) {
  const times = sockets.map(() => []);
  for (let round = 0; round < WARM_UP + rounds; round += 1)
    for (const at of shuffled(sockets.length)) {
      const ms = await askOnce(sockets[at], `f${at}-${round}`, bashCall(round));
      if (round >= WARM_UP) times[at].push(ms);
    }
  return times;
}

function shuffled(count) {
  const order = Array.from({ length: count }, (_, at) => ({ at, by: Math.random() }));
  return order.sort((a, b) => a.by - b.by).map(({ at }) => at);
}

function figuresOf(places, [alone, ...others]) {
  const [first, ...rest] = places.map(({ name }) => name);
  return [
    { name: first, value: alone, unit: 'ms' },
    ...rest.map((name, at) => ({
      name: `in a fleet, ${name}`,
      value: others[at],
      unit: 'ms',
      ratio: others[at] / alone,
      to: 'without a fleet',
      target: ratioAtMost(1.1),
      isCompared: true,
    })),
  ];
}
