import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { kilo } from './client.ts';

runsOwnHooks(kilo);
