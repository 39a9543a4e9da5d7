import { fileURLToPath } from 'node:url';
import { isObject } from '../model/json.ts';
import { once } from '../platform/bounded.ts';
import { readBuilt } from './files/built.ts';
import { type CompiledPacks, compilePacks, type PackExamples } from './pack-compile.ts';
import { EXAMPLE_PLACES } from './places/example.ts';

/** Rules that come with Hookline, in the same format as those of users. */
export const PACKS_FOLDER: string = fileURLToPath(new URL('./packs/', import.meta.url));

/** Files that the build writes next to the program: the output of `compilePacks`, in two files. */
export const BUILT_PACKS = 'packs.json';
export const BUILT_EXAMPLES = 'pack-examples.json';

/** The part that decides. */
export const packData: () => CompiledPacks = once(
  () => readBuilt(beside(BUILT_PACKS), isPacks) ?? fromSources().compiled,
);

/** Separate, because examples are half of the packs and only tests and listings need them. */
export const packExamples: () => PackExamples = once(
  () => readBuilt(beside(BUILT_EXAMPLES), isExamples) ?? fromSources().examples,
);

/** Without build output, as in tests, or if it is damaged, compiles the sources once. */
const fromSources = once(() => compilePacks(PACKS_FOLDER, EXAMPLE_PLACES));

/** Checks only the outline: the build checked the rest, and this runs before every first call. */
export function isPacks(data: unknown): data is CompiledPacks {
  return isObject(data) && isObject(data.packs) && isObject(data.commands);
}

function isExamples(data: unknown): data is PackExamples {
  return isObject(data);
}

function beside(name: string): URL {
  return new URL(`./${name}`, import.meta.url);
}
