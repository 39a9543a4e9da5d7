import kilo from '../../../src/agents/kilo/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(kilo);
