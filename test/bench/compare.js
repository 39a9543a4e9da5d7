// Compares the ratios and counts of a run with those that are committed.
//
// Counts have their own limit: see counts.js.
//
// A ratio is taken in one run, so a slow machine slows both sides of it. What is left is noise, which a busy machine has
// much of, and another processor has other ratios: one counts as worse when it is three times as much, in every try.

import { countsBeyond } from './counts.js';
import { isMet, median } from './figures.js';

/** @typedef {import('./figures.js').Figure} Figure */

/** Growth of a ratio that counts as worse. */
export const MARGIN = 3;
/** How often a bench is measured before one of its ratios counts as worse. */
export const TRIES = 3;

/**
 * The ratios that later runs of a bench are compared with: of each the median of all tries.
 *
 * @param {readonly (readonly Figure[])[]} tries
 * @returns {Readonly<Record<string, number>>}
 */
export function baselineOf(tries) {
  const measured = tries.map(ratiosOf);
  const names = Object.keys(measured[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(measured.map((one) => one[name]))]));
}

/** @param {readonly Figure[]} figures */
function ratiosOf(figures) {
  return Object.fromEntries(
    figures
      .filter(({ isCompared }) => isCompared)
      .map(({ name, ratio }) => [name, Number(ratio.toPrecision(3))]),
  );
}

/**
 * @typedef {{ name: string, before: number, now: number | null }} Worse `now` is null where it was not measured.
 *
 * The ratios of a bench that are worse than they were, each with the best of its tries.
 *
 * @param {Readonly<Record<string, number>>} before
 * @param {readonly (readonly Figure[])[]} tries
 * @returns {readonly Worse[]}
 */
export function worseThan(before, tries) {
  const measured = tries.map(ratiosOf);
  return Object.entries(before).flatMap(([name, ratio]) => {
    const all = measured.map((one) => one[name]).filter((one) => one !== undefined);
    if (all.length === 0) return [{ name, before: ratio, now: null }];
    const now = Math.min(...all);
    return now > ratio * MARGIN ? [{ name, before: ratio, now }] : [];
  });
}

/**
 * The limits that a bench missed in every try, each with the try in which it came closest.
 *
 * @param {readonly (readonly Figure[])[]} tries
 * @returns {readonly import('./figures.js').Measured[]}
 */
export function missedLimits(tries) {
  const limits = tries.flat().filter(({ isLimit }) => isLimit);
  return [...new Set(limits.map(({ name }) => name))].flatMap((name) => {
    const all = limits.filter((one) => one.name === name);
    return all.some(isMet) ? [] : all.toSorted((a, b) => a.ratio - b.ratio).slice(0, 1);
  });
}

/** For a bench of which only the limits count. */
export const NOTHING_BEFORE = { ratios: {}, counts: null };

/**
 * Measures a bench until none of its ratios is worse, none of its counts beyond its limit and none of its own limits missed, at
 * most so many times; always so many times where a baseline is made.
 *
 * @param {import('./baseline.js').BenchBaseline | null} before null where a baseline is made.
 * @param {() => Promise<readonly Figure[]>} measure
 */
export async function compareBench(before, measure) {
  const tries = [];
  let worse = [];
  let beyond = [];
  let missed = [];
  do {
    tries.push(await measure());
    worse = before === null ? [] : worseThan(before.ratios, tries);
    // Null: of another Node than this one, with which counts can't be compared.
    beyond = before === null || before.counts === null ? [] : countsBeyond(before.counts, tries);
    missed = missedLimits(tries);
  } while ((before === null || worse.length + beyond.length + missed.length > 0) && tries.length < TRIES);
  return { tries, worse, beyond, missed };
}
