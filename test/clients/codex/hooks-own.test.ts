import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { codex } from './client.ts';

runsOwnHooks(codex);
