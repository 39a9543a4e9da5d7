import qwen from '../../../src/agents/qwen/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(qwen);
