// What a bench returns: figures as data. run.js prints them, writes them and compares them.

/**
 * @typedef {{ of: 'value' | 'ratio', most: number } | { of: 'value' | 'ratio', least: number }} Target
 * @typedef {{
 *   name: string,
 *   value: number,
 *   unit: string,
 *   ratio?: number,
 *   to?: string,
 *   target?: Target,
 *   isCompared?: boolean,
 *   isCount?: boolean,
 *   isLimit?: boolean,
 * }} Measured `ratio` is to `to`, measured in the same run. Those of `isCompared` are better the smaller they are, and
 *   go into the baseline. So do the values of `isCount`, which are nearly the same in every run. With `isLimit` the run fails
 *   when the target is missed.
 * @typedef {{ name: string, skipped: string }} Skipped `skipped` says why.
 * @typedef {{ name: string, failed: string }} Failed `failed` says why.
 * @typedef {Measured | Skipped | Failed} Figure
 */

/** @type {(most: number) => Target} */
export const ratioAtMost = (most) => ({ of: 'ratio', most });
/** @type {(least: number) => Target} */
export const ratioAtLeast = (least) => ({ of: 'ratio', least });
/** @type {(most: number) => Target} */
export const valueAtMost = (most) => ({ of: 'value', most });
/** @type {(least: number) => Target} */
export const valueAtLeast = (least) => ({ of: 'value', least });

/**
 * Null where there is no target.
 *
 * @param {Measured} figure
 * @returns {boolean | null}
 */
export function isMet({ value, ratio, target }) {
  if (target === undefined) return null;
  const measured = target.of === 'ratio' ? (ratio ?? Number.NaN) : value;
  return 'most' in target ? measured <= target.most : measured >= target.least;
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * The value that a share of all values is not above.
 *
 * @param {readonly number[]} sorted
 * @param {number} share
 */
export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * How much more one takes than the other, of values that were measured in turns.
 *
 * @param {readonly number[]} values
 * @param {readonly number[]} others
 */
export function pairedRatio(values, others) {
  return median(values.map((value, at) => value / others[at]));
}
