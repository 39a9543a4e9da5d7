import { approvesItself } from '../scenarios/self-approval.ts';
import { opencode } from './client.ts';

approvesItself(opencode);
