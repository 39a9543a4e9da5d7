import copilot from '../../../src/agents/copilot/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(copilot);
