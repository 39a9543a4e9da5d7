import gemini from '../../../src/agents/gemini/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(gemini);
