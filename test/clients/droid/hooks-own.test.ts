import droid from '../../../src/agents/droid/client.ts';
import { runsOwnHooks } from '../scenarios/own-hooks.ts';

runsOwnHooks(droid);
