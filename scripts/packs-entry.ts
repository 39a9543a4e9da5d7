// What build-packs.js needs of the sources.
export { agentPlaces } from '../src/home/rule-places.ts';
export { BUILT_ACTS, compileActs } from '../src/rules/deeds/patterns.ts';
export { compilePacks } from '../src/rules/pack-compile.ts';
export { BUILT_EXAMPLES, BUILT_PACKS } from '../src/rules/pack-data.ts';
export { EXAMPLE_PLACES } from '../src/rules/places/example.ts';
