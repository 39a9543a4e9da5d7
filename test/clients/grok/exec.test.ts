import grok from '../../../src/agents/grok/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(grok);
