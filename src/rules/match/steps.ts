// Patterns and the text they are compared with both come from strangers. What a comparison costs is counted, so that
// a repository's own rules can be given a limit, and a test can tell how the cost grows.

let taken = 0;
let limit: number = Number.POSITIVE_INFINITY;

/** A rule exceeded its limit, so the match is unknown. */
export class TooLongError extends Error {}

/** To be called with the number of signs that were compared. */
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

/** A number of steps that several pieces of work share; what takes more ends with a TooLongError. */
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
