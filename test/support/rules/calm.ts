import type { World } from '../../../src/rules/facts.ts';
import { openPack } from '../../../src/rules/pack.ts';
import { EXAMPLE_PLACES } from '../../../src/rules/places/example.ts';
import { READING_TOOLS } from '../../../src/rules/review/examples.ts';
import { factsOf, shellCall } from './rules.ts';

/** The rule of the pack `calm`. */
export const calm = openPack('calm', false, EXAMPLE_PLACES).rules()[0];

/** A project with nothing in it, so that every pattern comes to nothing. */
export const EMPTY: Partial<World> = {
  namesIn: () => [],
  filesBelow: () => [],
  startsPrograms: () => false,
  readingTools: () => READING_TOOLS,
};

export function isCalm(command: string, world: Partial<World> = EMPTY, project?: string): boolean {
  return calm?.test(factsOf(shellCall(command, project), world)) ?? false;
}
