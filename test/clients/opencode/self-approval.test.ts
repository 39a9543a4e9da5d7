import opencode from '../../../src/agents/opencode/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(opencode);
