import { fileURLToPath } from 'node:url';
import { isObject } from '../model/json.ts';
import { once } from '../platform/bounded.ts';
import { readBuilt } from './files/built.ts';
import { type CompiledPacks, compilePacks, type PackExamples } from './pack-compile.ts';
import { EXAMPLE_PLACES } from './places/example.ts';

/** Rules that come with Hookline, in the same language as those of users. */
export const PACKS_FOLDER: string = fileURLToPath(new URL('./packs/', import.meta.url));

/** What the build writes beside the program: the output of `compilePacks`, in two files. */
export const BUILT_PACKS = 'packs.json';
export const BUILT_EXAMPLES = 'pack-examples.json';

/** What decides. */
export const packData: () => CompiledPacks = once(
  () => readBuilt(beside(BUILT_PACKS), isPacks) ?? fromSources().compiled,
);

/** Only those who test or show rules ask for them: they are half of what packs say. */
export const packExamples: () => PackExamples = once(
  () => readBuilt(beside(BUILT_EXAMPLES), isExamples) ?? fromSources().examples,
);

/** Where nothing was built, as in tests, or what was built is damaged, the sources are compiled once. */
const fromSources = once(() => compilePacks(PACKS_FOLDER, EXAMPLE_PLACES));

/** Only the outline: the build has checked the rest, and it is read before every first call. */
export function isPacks(data: unknown): data is CompiledPacks {
  return isObject(data) && isObject(data.packs) && isObject(data.commands);
}

function isExamples(data: unknown): data is PackExamples {
  return isObject(data);
}

function beside(name: string): URL {
  return new URL(`./${name}`, import.meta.url);
}
