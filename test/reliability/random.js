/**
 * The same numbers in every run with the same seed: what a run found can be looked at again.
 *
 * @param {number} seed
 * @returns {(below: number) => number} whole numbers
 */
export function createRandom(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
