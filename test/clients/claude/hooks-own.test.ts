import claude from '../../../src/agents/claude/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(claude);
