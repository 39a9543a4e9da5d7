import cline from '../../../src/agents/cline/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(cline);
