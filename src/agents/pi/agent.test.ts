import { testAgent } from '../testing/contract.ts';
import { testShimSetup } from '../testing/shim.ts';
import pi from './index.ts';
import { HOST } from './setup.ts';

testAgent(pi, { fixtures: new URL('./fixtures/', import.meta.url) });
testShimSetup(HOST);
