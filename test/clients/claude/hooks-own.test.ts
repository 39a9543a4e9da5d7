import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { claude } from './client.ts';

runsOwnHooks(claude);
