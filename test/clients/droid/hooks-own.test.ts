import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { droid } from './client.ts';

runsOwnHooks(droid);
