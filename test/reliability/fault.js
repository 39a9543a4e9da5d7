// One fault: a home of its own, calls with known answers, something that goes wrong, and a look at the record afterwards.

import { openHome, settle } from './home.js';
import { createLedger } from './ledger.js';
import { createRandom } from './random.js';

/**
 * @typedef {{
 *   name: string,
 *   calls: number,
 *   lost: number,
 *   reported: number,
 *   doubled: number,
 *   wronglyAllowed: number,
 *   undecided: number,
 *   healed: readonly (number | null)[],
 *   leftBehind: number,
 *   remark: string,
 *   passed: boolean,
 *   skipped: string | null,
 * }} Result `lost`: answered, not in the record, and nothing says so. `reported`: missing, and a command says so.
 * @typedef {{
 *   name: string,
 *   open?: () => Promise<{ home: any } | { skipped: string }>,
 *   run: (context: any) => Promise<any>,
 * }} Fault
 */

const SEED = 20_261_116;

/**
 * @param {Fault} fault
 * @param {{ short: boolean }} options
 * @returns {Promise<Result>}
 */
export async function tryFault(fault, { short }) {
  const opened = fault.open ? await fault.open() : { home: await openHome() };
  if (!('home' in opened)) return { ...EMPTY, name: fault.name, skipped: opened.skipped };
  const { home } = opened;
  let leftBehind = 0;
  try {
    const ledger = createLedger();
    const found = await fault.run({ home, ledger, random: createRandom(SEED), short });
    await settle(home);
    await home.stop();
    const result = summarize(ledger, ledger.compare(home), found);
    leftBehind = await home.close();
    return { ...result, name: fault.name, leftBehind, passed: result.passed && leftBehind === 0 };
  } catch (error) {
    await home.close();
    return { ...EMPTY, name: fault.name, remark: `the trial itself failed: ${error.message}`, passed: false };
  }
}

const EMPTY = {
  calls: 0,
  lost: 0,
  reported: 0,
  doubled: 0,
  wronglyAllowed: 0,
  undecided: 0,
  healed: [],
  leftBehind: 0,
  remark: '',
  passed: true,
  skipped: null,
};

function summarize(ledger, { missing, doubled }, found) {
  // What was there before the damage may be missing if that is reported; what came after it may not.
  const reported = found.isReported ? missing.filter((id) => found.before?.has(id)).length : 0;
  const lost = missing.length - reported;
  const isDecided = ledger.failed === 0 || found.mayFail === true;
  const wronglyAllowed = ledger.wronglyAllowed + (found.wronglyAllowed ?? 0);
  return {
    ...EMPTY,
    calls: ledger.calls + (found.calls ?? 0),
    lost,
    reported,
    doubled,
    wronglyAllowed,
    undecided: ledger.failed,
    healed: found.healed ?? [],
    remark: found.remark ?? '',
    passed: found.passed !== false && lost + doubled + wronglyAllowed === 0 && isDecided,
  };
}
