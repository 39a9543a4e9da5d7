import { testAgent } from '../testing/contract.ts';
import { testShimSetup } from '../testing/shim.ts';
import opencode, { shim } from './index.ts';

testAgent(opencode, { fixtures: new URL('./fixtures/', import.meta.url) });

testShimSetup(shim);
