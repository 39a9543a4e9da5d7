import { configureGlobal } from 'fast-check';
import { afterAll, inject } from 'vitest';
import { removeScratch } from './support/scratch.ts';

configureGlobal({ seed: inject('propertySeed') });

// Registered before any hook of the test file, so it runs after all of them: what they stop may still write there.
afterAll(removeScratch);
