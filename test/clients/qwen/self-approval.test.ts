import { approvesItself } from '../scenarios/self-approval.ts';
import { qwen } from './client.ts';

approvesItself(qwen);
