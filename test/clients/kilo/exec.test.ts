import kilo from '../../../src/agents/kilo/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(kilo);
