import copilot from '../../../src/agents/copilot/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(copilot);
