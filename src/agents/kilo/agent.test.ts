import { testAgent } from '../testing/contract.ts';
import { testShimSetup } from '../testing/shim.ts';
import kilo, { shim } from './index.ts';

testAgent(kilo, { fixtures: new URL('./fixtures/', import.meta.url) });

testShimSetup(shim);
