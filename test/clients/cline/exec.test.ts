import cline from '../../../src/agents/cline/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(cline);
