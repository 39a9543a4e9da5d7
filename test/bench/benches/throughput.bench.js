// How many calls a second the daemon answers on its socket, each committed before its answer, how long a caller waits,
// and what memory it holds afterwards. Forwarders make a connection for each call, so that is what is promised.
import { valueAtLeast, valueAtMost } from '../figures.js';
import { callOf, load } from '../loads/load.js';
import { askInTurn, openScratchHome, residentMegabytes } from '../processes/scratch-home.js';

const CALLS = 100_000;
const CONNECTIONS = 8;
const FORWARDED = 20_000;
const WARM_UP = 4_000;

export async function run() {
  const home = openScratchHome("rules:\n  - { id: r, command: rm, deny: 'no' }\n", false);
  try {
    const before = residentMegabytes(home.daemon.pid);
    await load(home.daemon, 'warm', CONNECTIONS, WARM_UP);
    const asForwarders = [];
    for (const callers of [8, 50])
      asForwarders.push(await load(home.daemon, `n${callers}`, callers, FORWARDED));
    const kept = await load(home.daemon, 'c', CONNECTIONS, CALLS, connections);
    const sent = [...asForwarders, kept].reduce((sum, { calls }) => sum + calls, WARM_UP);
    const stored = JSON.parse(home.hookline('status', '--json')).events;
    if (stored !== sent) throw new Error(`${sent} calls answered, ${stored} stored`);
    return [
      ...asForwarders.flatMap((one) => figuresOf(`${one.callers} callers, a connection each call`, one)),
      ...figuresOf(`${CONNECTIONS} connections that stay`, kept),
      { name: 'memory of the idle daemon', value: before, unit: 'MB' },
      { name: `memory after ${sent} calls`, value: residentMegabytes(home.daemon.pid), unit: 'MB' },
    ];
  } finally {
    home.close();
  }
}

function connections(socket, lane, count, took) {
  return askInTurn(socket, lane, count, (sent) => callOf(lane, sent), took);
}

/** Targets by number of callers. */
const TARGETS = {
  8: { rate: valueAtLeast(4_500), p99: valueAtMost(8) },
  50: { p99: valueAtMost(25) },
};

function figuresOf(name, { callers, rate, p50, p99, processor }) {
  const targets = name.includes('each call') ? (TARGETS[callers] ?? {}) : {};
  return [
    { name, value: rate, unit: 'a second', target: targets.rate },
    { name: `${name}, p50`, value: p50, unit: 'ms' },
    { name: `${name}, p99`, value: p99, unit: 'ms', target: targets.p99 },
    { name: `${name}, processor`, value: processor, unit: 'µs a call' },
  ];
}
