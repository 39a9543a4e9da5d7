import copilot from '../../../src/agents/copilot/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(copilot);
