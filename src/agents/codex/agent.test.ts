import { testAgent } from '../testing/contract.ts';
import codex from './index.ts';

testAgent(codex, { fixtures: new URL('./fixtures/', import.meta.url) });
