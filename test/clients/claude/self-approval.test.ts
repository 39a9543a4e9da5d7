import claude from '../../../src/agents/claude/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(claude);
