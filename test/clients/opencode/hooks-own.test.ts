import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { opencode } from './client.ts';

runsOwnHooks(opencode);
