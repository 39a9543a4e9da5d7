import type { IRawProperty, Parameters } from 'fast-check';
// Not by its name, which stands for this file where it is used.
import * as all from '../../node_modules/fast-check/lib/fast-check.js';

export * from '../../node_modules/fast-check/lib/fast-check.js';

/** Enough to find at once what a change breaks; `npm run test:deep` makes as many runs as a test asks for. */
const MOST_RUNS = 100;

export function assert<Ts>(
  property: IRawProperty<Ts>,
  parameters: Parameters<Ts> = {},
): void | Promise<void> {
  const numRuns = Math.min(parameters.numRuns ?? MOST_RUNS, MOST_RUNS);
  return all.assert(property, { ...parameters, numRuns });
}

export default { ...all, assert };
