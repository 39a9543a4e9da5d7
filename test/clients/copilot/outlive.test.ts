import copilot from '../../../src/agents/copilot/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(copilot);
