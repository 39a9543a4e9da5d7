import copilot from '../../../src/agents/copilot/client.ts';
import { remembers } from '../scenarios/memory.ts';

remembers(copilot);
