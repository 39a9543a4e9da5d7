import { runsOwnHooks } from '../scenarios/own-hooks.ts';
import { qwen } from './client.ts';

runsOwnHooks(qwen);
