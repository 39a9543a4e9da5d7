// How many calls a second the daemon answers on its socket, each committed before its answer, how long a caller waits,
// and what memory it holds afterwards. Forwarders make a connection for each call, so that is what is promised.
import { askInTurn, askOnce, openScratchHome, processorMs, residentMegabytes } from './scratch-home.js';

const CALLS = 100_000;
const CONNECTIONS = 8;
const FORWARDED = 20_000;
const WARM_UP = 4_000;

export async function run() {
  const home = openScratchHome("rules:\n  - { id: r, command: rm, deny: 'no' }\n", false);
  try {
    const before = residentMegabytes(home.daemon.pid);
    await load(home.daemon, 'warm', CONNECTIONS, WARM_UP, forwarders);
    const asForwarders = [];
    for (const callers of [8, 50])
      asForwarders.push(await load(home.daemon, `n${callers}`, callers, FORWARDED, forwarders));
    const kept = await load(home.daemon, 'c', CONNECTIONS, CALLS, connections);
    const sent = [...asForwarders, kept].reduce((sum, { calls }) => sum + calls, WARM_UP);
    const stored = JSON.parse(home.hookline('status', '--json')).events;
    for (const one of asForwarders)
      console.log(`${one.callers} callers, a connection each call: ${told(one)}`);
    console.log(`${CONNECTIONS} connections that stay: ${told(kept)}`);
    console.log(`${sent} calls answered, ${stored} stored`);
    if (stored !== sent) throw new Error('not every answered call is stored');
    console.log(
      `memory of the daemon: ${before?.toFixed(0)} MB idle, ${residentMegabytes(home.daemon.pid)?.toFixed(0)} MB after them`,
    );
  } finally {
    home.close();
  }
}

/** Callers that come again as soon as they are answered. */
async function load({ socket, pid }, name, callers, calls, ask) {
  const times = [];
  const processor = processorMs(pid);
  const start = process.hrtime.bigint();
  await Promise.all(
    Array.from({ length: callers }, (_, lane) =>
      ask(socket, `${name}-${lane}`, Math.ceil(calls / callers), (ms) => times.push(ms)),
    ),
  );
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.floor(times.length * part)] ?? 0;
  return {
    callers,
    calls: times.length,
    rate: times.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    processor: ((processorMs(pid) - processor) / times.length) * 1_000,
  };
}

async function forwarders(socket, lane, count, took) {
  for (let sent = 1; sent <= count; sent += 1)
    took(await askOnce(socket, `${lane}-${sent}`, callOf(lane, sent)));
}

function connections(socket, lane, count, took) {
  return askInTurn(socket, lane, count, (sent) => callOf(lane, sent), took);
}

function told({ rate, p50, p99, processor }) {
  return `${Math.round(rate)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${Math.round(processor)} µs of the processor a call`;
}

/** @returns {{ agent: string, payload: object }} */
function callOf(lane, sent) {
  const payload = {
    session_id: `session-${lane}-${Math.floor(sent / 500)}`,
    transcript_path: '/home/dev/.claude/projects/shop/x.jsonl',
    cwd: '/home/dev/shop',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: `echo ${lane} ${sent}`, description: 'Say something' },
    tool_use_id: `toolu_${lane}_${sent}`,
  };
  return { agent: 'claude', payload };
}
