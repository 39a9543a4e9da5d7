import gemini from '../../../src/agents/gemini/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(gemini);
