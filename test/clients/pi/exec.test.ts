import pi from '../../../src/agents/pi/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(pi);
