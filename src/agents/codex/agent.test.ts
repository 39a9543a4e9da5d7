import { testAgent } from '../testing.ts';
import codex from './index.ts';

testAgent(codex, { fixtures: new URL('./fixtures/', import.meta.url) });
