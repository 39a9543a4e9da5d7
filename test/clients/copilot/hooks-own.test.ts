import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { copilot } from './client.ts';

runsOwnHooks(copilot);
