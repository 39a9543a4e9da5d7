import gemini from '../../../src/agents/gemini/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(gemini);
