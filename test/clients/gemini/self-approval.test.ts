import { approvesItself } from '../scenarios/self-approval.ts';
import { gemini } from './client.ts';

approvesItself(gemini);
