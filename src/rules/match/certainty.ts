import type { Certainty } from '../../shell/analysis.ts';

/** Certainty as a number for comparisons; 0 means no match. */
export type Level = 0 | 1 | 2 | 3;
export const NONE = 0;
export const POSSIBLE = 1;
export const LIKELY = 2;
export const CERTAIN = 3;

const NAMES: readonly (Certainty | null)[] = [null, 'possible', 'likely', 'certain'];
const LEVELS: Readonly<Record<Certainty, Level>> = { possible: POSSIBLE, likely: LIKELY, certain: CERTAIN };

export function certaintyOf(level: Level): Certainty | null {
  return NAMES[level] ?? null;
}

/** The more certain of two answers; null means no match. */
export function surer(a: Certainty | null, b: Certainty | null): Certainty | null {
  return (a === null ? NONE : LEVELS[a]) >= (b === null ? NONE : LEVELS[b]) ? a : b;
}

export function isAtLeast(certainty: Certainty, least: Certainty): boolean {
  return LEVELS[certainty] >= LEVELS[least];
}

export function best(a: Level, b: Level): Level {
  return a > b ? a : b;
}

export function weakest(a: Level, b: Level): Level {
  return a < b ? a : b;
}
