import claude from '../../../src/agents/claude/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(claude);
