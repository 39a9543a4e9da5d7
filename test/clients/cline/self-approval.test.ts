import cline from '../../../src/agents/cline/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(cline);
