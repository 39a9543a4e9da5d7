import { createRequire } from 'node:module';

// The module that others import. The rest is not one, as all of the program, of which it has most.
type Live = typeof import('./index.ts');
const live: Live = createRequire(import.meta.url)('./testing.cjs');

export const fakeModel: Live['fakeModel'] = live.fakeModel;
export const runClient: Live['runClient'] = live.runClient;
export const testAgent: Live['testAgent'] = live.testAgent;
export const testHook: Live['testHook'] = live.testHook;
