import copilot from '../../../src/agents/copilot/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(copilot);
