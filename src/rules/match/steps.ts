// Patterns and the text they are compared with are both untrusted. Counts the cost of comparisons, so that a
// repository's rules can be limited and tests can check how the cost grows.

let taken = 0;
let limit: number = Number.POSITIVE_INFINITY;

/** A rule exceeded its limit, so the match is unknown. */
export class TooLongError extends Error {}

/** Called with the number of compared characters. */
export function spend(steps: number): void {
  taken += steps;
  if (taken > limit) throw new TooLongError('its patterns take too long to compare with this call');
}

/**
 * How many steps the work took.
 * @internal for tests
 */
export function stepsOf(work: () => void): number {
  const before = taken;
  work();
  return taken - before;
}

/** A step limit shared by several pieces of work; exceeding it throws a TooLongError. */
export function createStepBudget(most: number): <T>(work: () => T) => T {
  let left = most;
  return (work) => {
    const before = taken;
    limit = taken + left;
    try {
      return work();
    } finally {
      left -= taken - before;
      limit = Number.POSITIVE_INFINITY;
    }
  };
}
