import { configureGlobal } from 'fast-check';
import { inject } from 'vitest';

configureGlobal({ seed: inject('propertySeed') });
