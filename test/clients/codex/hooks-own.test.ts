import codex from '../../../src/agents/codex/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(codex);
