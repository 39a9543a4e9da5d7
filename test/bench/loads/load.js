// Callers that come again as soon as they are answered.
import { percentile } from '../figures.js';
import { askOnce, processorMs } from '../processes/scratch-home.js';

/**
 * @typedef {(socket: string, lane: string, count: number, took: (ms: number) => void) => Promise<void>} Ask
 *
 * How a server does under load. Times are in ms, and what it takes of the processor per call in µs.
 *
 * @param {{ socket: string, pid: number }} server
 * @param {string} name another one for each load
 * @param {number} callers
 * @param {number} calls
 * @param {Ask} [ask]
 */
export async function load({ socket, pid }, name, callers, calls, ask = forwarders) {
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
  return {
    callers,
    calls: times.length,
    rate: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    processor: ((processorMs(pid) - processor) / times.length) * 1_000,
  };
}

/** A new connection for each call, as forwarders make them. */
async function forwarders(socket, lane, count, took) {
  for (let sent = 1; sent <= count; sent += 1)
    took(await askOnce(socket, `${lane}-${sent}`, callOf(lane, sent)));
}

/** @returns {{ agent: string, payload: object }} */
export function callOf(lane, sent) {
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
