import qwen from '../../../src/agents/qwen/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(qwen);
