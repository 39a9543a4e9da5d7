import { approvesItself } from '../scenarios/self-approval.ts';
import { pi } from './client.ts';

approvesItself(pi);
