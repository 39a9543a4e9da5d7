import copilot from '../../../src/agents/copilot/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(copilot);
