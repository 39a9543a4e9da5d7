import copilot from '../../../src/agents/copilot/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(copilot);
