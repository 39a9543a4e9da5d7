import codex from '../../../src/agents/codex/client.ts';
import { runsHeadless } from '../scenarios/exec.ts';

runsHeadless(codex);
