// Many callers at once, and for long: how long they wait, and what memory the daemon has afterwards.
import { readdirSync } from 'node:fs';
import { percentile } from '../bench/figures.js';
import { residentMegabytes } from '../bench/processes/scratch-home.js';
import { openHome, settle } from './home.js';
import { load } from './lanes.js';
import { createLedger } from './ledger.js';

/**
 * @typedef {{
 *   callers: number, calls: number, rate: number, p50: number, p99: number, p999: number, worst: number,
 *   megabytes: number, descriptors: number,
 * }} LoadRow
 */

const MOST_MS = 20 * 60_000;

/**
 * One daemon under ever more callers, and then for as many calls as `total` wants.
 *
 * @param {{ short: boolean, total: number }} options
 */
export async function tryLoad({ short, total }) {
  const home = await openHome();
  const pid = home.pid();
  const ledger = createLedger();
  const idle = usedBy(pid);
  const deadline = performance.now() + MOST_MS;
  const rows = [];
  const measure = async (name, callers, calls) => {
    const from = ledger.calls;
    const start = performance.now();
    await load(home, ledger, name, callers, calls, deadline);
    const seconds = (performance.now() - start) / 1_000;
    rows.push({ callers, ...spread(ledger.times.slice(from), seconds), ...usedBy(pid) });
  };
  await load(home, ledger, 'warm-up', 8, short ? 50 : 2_000);
  for (const [callers, calls] of short ? SHORT : FULL) await measure(`load-${callers}`, callers, calls);
  if (total > ledger.calls) await measure('long', 8, total - ledger.calls);
  const isSame = home.pid() === pid;
  await settle(home);
  await home.stop();
  const { missing, doubled } = ledger.compare(home);
  const leftBehind = await home.close();
  const { calls, wronglyAllowed, failed: undecided } = ledger;
  const lost = missing.length;
  const passed = isSame && lost + doubled + wronglyAllowed + leftBehind === 0;
  return { idle, rows, calls, lost, doubled, wronglyAllowed, undecided, isSame, leftBehind, passed };
}

const SHORT = [
  [1, 50],
  [8, 200],
];
const FULL = [
  [1, 20_000],
  [8, 100_000],
  [50, 100_000],
];

function usedBy(pid) {
  return { megabytes: residentMegabytes(pid), descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

function spread(times, seconds) {
  const sorted = times.sort((a, b) => a - b);
  return {
    calls: sorted.length,
    rate: sorted.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    p999: percentile(sorted, 0.999),
    worst: sorted.at(-1) ?? 0,
  };
}
