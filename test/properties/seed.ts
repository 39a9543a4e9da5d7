/** The seed of every run that asks for no other, so that what passes once passes again. */
const DEFAULT_SEED = 20_261;

declare module 'vitest' {
  export interface ProvidedContext {
    propertySeed: number;
  }
}

/**
 * The seed of the property tests, by the variable PROPERTY_SEED: a number, or `random` for a random one.
 * A run that explores says which it is, so that it can be repeated.
 */
export function propertySeed(wanted: string | undefined, print: (line: string) => void): number {
  if (wanted === undefined || wanted === '') return DEFAULT_SEED;
  const seed = wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
  if (!Number.isInteger(seed))
    throw new Error(`PROPERTY_SEED is a whole number or "random", not "${wanted}".`);
  print(`Property tests run with PROPERTY_SEED=${seed}`);
  return seed;
}
