// Many large calls at the same time: what the daemon takes of the memory, and what others feel of it.
import { readFileSync } from 'node:fs';
import { forwardOne } from '../lanes.js';
import { slowness } from '../slowness.js';
import { bigCall, othersDuring, UNNOTICED_MS } from './payloads.js';

const AT_ONCE = 24;
const MANY_AT_ONCE = 70;
const MOST_MEGABYTES = 500;
const QUIET_MS = 2_000;

/** @type {import('../fault.js').Fault} */
export const crowd = {
  name: `${AT_ONCE} tool responses of 15 MB at once, others call meanwhile`,
  async run({ home, ledger, short }) {
    const unnoticed = UNNOTICED_MS * slowness();
    const counts = short ? [AT_ONCE] : [AT_ONCE, MANY_AT_ONCE];
    // All say the same at length: the memory of this process is not what is measured.
    const { call } = bigCall(1);
    const quiet = await othersDuring(
      home,
      'quiet',
      () => new Promise((resolve) => setTimeout(resolve, QUIET_MS)),
    );
    const crowds = [];
    for (const count of counts) {
      const calls = Array.from({ length: count }, (_, at) => sameCall(call, `crowd-${count}-${at + 1}`));
      const busy = await othersDuring(home, `busy-${count}`, () =>
        Promise.all(calls.map((one) => forwardOne(home, ledger, one))),
      );
      crowds.push({ count, ...busy, megabytes: mostMegabytes(home.pid()) });
    }
    for (const { calls } of [quiet, ...crowds]) for (const one of calls) ledger.note(...one);
    const limit = Math.max(2 * quiet.p99, unnoticed);
    return {
      remark: `${crowds.map(remarkOn).join('; ')}; without ${quiet.p99.toFixed(0)} ms (at most twice that, or ${unnoticed.toFixed(0)} ms)`,
      passed: crowds.every(({ p99, megabytes }) => p99 <= limit && megabytes < MOST_MEGABYTES),
    };
  },
};

function sameCall(call, id) {
  return { ...call, id, payload: { ...call.payload, session_id: id, tool_use_id: id } };
}

function remarkOn({ count, p99, worst, megabytes }) {
  return `${count} at once: ${megabytes.toFixed(0)} MB at most, p99 of the others ${p99.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`;
}

/** The most that the process has had in memory since it began. */
function mostMegabytes(pid) {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/);
  return line ? Number(line[1]) / 1024 : Number.POSITIVE_INFINITY;
}
