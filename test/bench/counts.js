// Compares counts: bytes, system calls, modules. Load on the machine hardly changes them, so little is allowed.

import { median } from './figures.js';

/** @typedef {import('./figures.js').Figure} Figure */

/** The part by which a count may exceed the baseline. CONTRIBUTING.md has the spread of each. */
export const LIMIT = 0.1;
/**
 * A count below this part of the baseline was not taken in full, or the baseline is out of date and guards nothing. Far from 1:
 * a busy machine serves more calls per wake-up and so saves a fifth of the system calls.
 */
const LEAST = 0.7;

/**
 * The counts that later runs of a bench are compared with: of each the median of all tries.
 *
 * @param {readonly (readonly Figure[])[]} tries
 * @returns {Readonly<Record<string, number>>}
 */
export function countBaselineOf(tries) {
  const counted = tries.map(countsOf);
  const names = Object.keys(counted[0] ?? {});
  const rounded = (name) => Number(median(counted.map((one) => one[name])).toPrecision(4));
  return Object.fromEntries(names.map((name) => [name, rounded(name)]));
}

/** @param {readonly Figure[]} figures */
function countsOf(figures) {
  return Object.fromEntries(figures.filter(({ isCount }) => isCount).map(({ name, value }) => [name, value]));
}

/**
 * @typedef {{ name: string, before: number | null, now: number | null }} Beyond `before` is null where the baseline lacks
 *   it, `now` where it was not counted.
 *
 * The counts of a bench that are beyond their limits in every try, each with the smallest of them. One that the bench has
 * skipped is not among them, because the bench says so and fails in CI.
 *
 * @param {Readonly<Record<string, number>>} before
 * @param {readonly (readonly Figure[])[]} tries
 * @returns {readonly Beyond[]}
 */
export function countsBeyond(before, tries) {
  const counted = tries.map(countsOf);
  const isSkipped = (name) =>
    tries.some((figures) => figures.some((one) => one.name === name && one.skipped));
  const names = new Set([...Object.keys(before), ...counted.flatMap(Object.keys)]);
  return [...names].flatMap((name) => {
    const all = counted.map((one) => one[name]).filter((one) => Number.isFinite(one));
    const was = before[name] ?? null;
    if (all.length === 0) return isSkipped(name) ? [] : [{ name, before: was, now: null }];
    if (was !== null && all.some((now) => isWithin(was, now))) return [];
    return [{ name, before: was, now: Math.min(...all) }];
  });
}

function isWithin(before, now) {
  return now <= before * (1 + LIMIT) && now >= before * LEAST;
}

/** @param {Beyond & { bench: string }} beyond */
export function beyondText({ bench, name, before, now }) {
  const said = (text) => `${bench}, ${name}: ${text}`;
  if (now === null) return said(`not counted, was ${before}`);
  const value = Number(now.toPrecision(4));
  if (before === null) return said(`${value}, not in the baseline. ${WRITE}`);
  if (before === 0) return said(`${value}, was 0`);
  if (now > before) return said(`${value}, was ${before} (+${Math.round((now / before - 1) * 100)} %)`);
  return said(`${value}, was ${before}. If that is right: ${WRITE}`);
}

const WRITE = 'Run `npm run bench -- --baseline` and commit the file.';
