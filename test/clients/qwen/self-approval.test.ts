import qwen from '../../../src/agents/qwen/client.ts';
import { approvesItself } from '../scenarios/self-approval.ts';

approvesItself(qwen);
