import droid from '../../../src/agents/droid/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(droid);
