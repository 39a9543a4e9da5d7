import opencode from '../../../src/agents/opencode/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(opencode);
