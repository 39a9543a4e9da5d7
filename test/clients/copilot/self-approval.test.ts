import { approvesItself } from '../scenarios/self-approval.ts';
import { copilot } from './client.ts';

approvesItself(copilot);
