import claude from '../../../src/agents/claude/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(claude);
