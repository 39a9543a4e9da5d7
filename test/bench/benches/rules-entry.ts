/** Sources that the rules bench needs; bundled by the bench and never shipped. */
export { agentPrograms, rulePlaces } from '../../../src/home/rule-places.ts';
export { createRulesHandler } from '../../../src/rules/handler.ts';
export { packNames } from '../../../src/rules/pack.ts';
export { openRuleSet } from '../../../src/rules/rule-set.ts';
export { createSessionMemory } from '../../../src/rules/session/memory.ts';
export { realWorld } from '../../../src/rules/world/machine.ts';
export { analyse } from '../../../src/shell/analyse.ts';
export { shellCall } from '../../support/rules/rules.ts';
