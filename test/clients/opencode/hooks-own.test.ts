import opencode from '../../../src/agents/opencode/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(opencode);
