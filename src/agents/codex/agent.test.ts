import { testAgent } from '../../../test/support/agents/contract.ts';
import codex from './index.ts';

testAgent(codex, { fixtures: new URL('./fixtures/', import.meta.url) });
