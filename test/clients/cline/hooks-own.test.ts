import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { cline } from './client.ts';

runsOwnHooks(cline);
