import pi from '../../../src/agents/pi/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(pi);
