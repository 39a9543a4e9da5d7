// Many large calls at the same time: what the daemon takes of the memory, and what others feel of it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { percentile } from '../../bench/figures.js';
import { decisionOfRun } from '../calls.js';
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
    const prepare = crowdIn(home);
    // Before and after each: how busy the machine is with something else changes within the minute.
    const quiet = [await othersWithout(home, 0)];
    const crowds = [];
    for (const count of counts) {
      const forward = prepare(count);
      const busy = await othersDuring(home, `busy-${count}`, () => forward(ledger));
      crowds.push({ count, ...busy, megabytes: mostMegabytes(home.pid()) });
      quiet.push(await othersWithout(home, count));
    }
    for (const { calls } of [...quiet, ...crowds]) for (const one of calls) ledger.note(...one);
    const times = quiet.flatMap(({ calls }) => calls.map(([, , ms]) => ms)).sort((a, b) => a - b);
    const usual = percentile(times, 0.99);
    const limit = Math.max(2 * usual, unnoticed);
    return {
      remark: `${crowds.map(remarkOn).join('; ')}; without ${usual.toFixed(0)} ms (at most twice that, or ${unnoticed.toFixed(0)} ms)`,
      passed: crowds.every(({ p99, megabytes }) => p99 <= limit && megabytes < MOST_MEGABYTES),
    };
  },
};

function othersWithout(home, count) {
  return othersDuring(home, `quiet-${count}`, () => new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
}

/**
 * Calls that all say the same at length, from files. The others run in this process: what it would do for 15 MB is time that they
 * wait, and its memory is not what is measured.
 */
function crowdIn(home) {
  const { payload } = bigCall(1).call;
  const { tool_response, ...rest } = payload;
  const long = join(home.folder, 'long.json');
  writeFileSync(long, `"tool_response":${JSON.stringify(tool_response)}}`);
  return (count) => {
    const calls = Array.from({ length: count }, (_, at) => ({
      id: `crowd-${count}-${at + 1}`,
      isForbidden: false,
    }));
    const heads = calls.map(({ id }) => {
      const own = JSON.stringify({ ...rest, session_id: id, tool_use_id: id });
      const head = join(home.folder, `${id}.json`);
      writeFileSync(head, `${own.slice(0, -1)},`);
      return head;
    });
    return async (ledger) => {
      const start = performance.now();
      const runs = await home.forwardCrowd(payload.hook_event_name, heads, long);
      const ms = performance.now() - start;
      for (const [at, call] of calls.entries()) ledger.note(call, decisionOfRun(runs[at]), ms);
    };
  };
}

function remarkOn({ count, p99, worst, megabytes }) {
  return `${count} at once: ${megabytes.toFixed(0)} MB at most, p99 of the others ${p99.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`;
}

/** The most that the process has had in memory since it began. */
function mostMegabytes(pid) {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/);
  return line ? Number(line[1]) / 1024 : Number.POSITIVE_INFINITY;
}
