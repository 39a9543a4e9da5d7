import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { pi } from './client.ts';

runsOwnHooks(pi);
