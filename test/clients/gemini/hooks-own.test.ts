import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { gemini } from './client.ts';

runsOwnHooks(gemini);
